# The explorer in a container. Not built yet: the commands in it are run by the tests, this file is not.
#
#   docker build -t emtee .
#   docker run --rm -p 8017:8017 -v "$PWD/reproduced:/reports:ro" emtee
#
# The container prints an address with a token; open it with `localhost` as its host.
FROM rust:1.92-bookworm AS build
WORKDIR /emtee
COPY . .
RUN cargo build --release --locked

FROM debian:bookworm-slim
COPY --from=build /emtee/target/release/emtee /usr/local/bin/emtee
RUN useradd --create-home emtee && mkdir /reports
USER emtee
EXPOSE 8017
STOPSIGNAL SIGTERM
ENTRYPOINT ["emtee"]
CMD ["serve", "--bind", "0.0.0.0", "--port", "8017", "--reports", "/reports"]
