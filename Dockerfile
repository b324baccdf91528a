# docker build -t perft . && docker run --rm perft --depth 4 --suite standard
FROM rust:1-slim-bookworm AS build
WORKDIR /perft
COPY . .
RUN cargo build --release --locked

FROM debian:bookworm-slim
COPY --from=build /perft/target/release/perft /usr/local/bin/perft
COPY LICENSE-* /usr/share/doc/perft/
ENTRYPOINT ["perft"]
