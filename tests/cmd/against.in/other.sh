#!/bin/sh
echo nodes 20
