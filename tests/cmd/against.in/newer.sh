#!/bin/sh
echo '{"protocol":"perft.slices/1","workloads_version":99,"version":"9","revision":"r","level":"v1"}'
