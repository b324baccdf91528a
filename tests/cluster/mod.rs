mod counts;
mod links;
