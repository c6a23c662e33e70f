//! Endpoints on this machine, and the sockets that connect to them or wait at them.

use std::fmt;
use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::FileTypeExt as _;
use std::os::unix::net::{UnixDatagram, UnixListener, UnixStream};
use std::path::PathBuf;
use std::time::Duration;

use rustix::io::ioctl_fionbio;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, connect, socket_with};

const CONNECT: Duration = Duration::from_secs(1);

/// Where a scheduler listens, in ZeroMQ's notation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Endpoint {
    /// `tcp://127.0.0.1:PORT`.
    Tcp(SocketAddr),
    /// `ipc://FILE`.
    File(PathBuf),
    /// `ipc://@NAME`, a name without a file, on Linux.
    Name(String),
}

impl Endpoint {
    /// Reads an endpoint, which has to be on this machine.
    pub fn parse(text: &str) -> Result<Endpoint, String> {
        if let Some(path) = text.strip_prefix("ipc://").filter(|path| !path.is_empty()) {
            return Ok(match path.strip_prefix('@') {
                Some(name) => Endpoint::Name(name.into()),
                None => Endpoint::File(path.into()),
            });
        }
        let wrong = || format!("`{text}` is no endpoint: tcp://127.0.0.1:PORT or ipc://FILE is wanted");
        let (host, port) =
            text.strip_prefix("tcp://").and_then(|rest| rest.rsplit_once(':')).ok_or_else(wrong)?;
        let port: u16 = port.parse().map_err(|_| wrong())?;
        let loopback = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let host = match host.trim_matches(['[', ']']) {
            // A scheduler listens on all addresses, or on one that it calls by name.
            "*" | "localhost" | "lo" => loopback,
            host => host.parse().map_err(|_| wrong())?,
        };
        let host = if host.is_unspecified() { loopback } else { host };
        if !host.is_loopback() {
            return Err(format!("`{text}` is not on this machine: a loopback address is wanted"));
        }
        Ok(Endpoint::Tcp(SocketAddr::new(host, port)))
    }

    /// An unused endpoint, different for each number.
    pub fn free(number: u64) -> io::Result<Endpoint> {
        if cfg!(target_os = "linux") {
            return Ok(Endpoint::Name(format!("batchlab-{}-{number}", std::process::id())));
        }
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.local_addr().map(Endpoint::Tcp)
    }

    pub fn connect(&self) -> io::Result<Socket> {
        let socket = match self {
            Endpoint::Tcp(at) => {
                let stream = TcpStream::connect_timeout(at, CONNECT)?;
                stream.set_nodelay(true)?;
                Socket::Tcp(stream)
            }
            Endpoint::File(path) => Socket::Unix(connect_unix(&SocketAddrUnix::new(path.as_path())?)?),
            Endpoint::Name(name) => Socket::Unix(connect_unix(&named(name)?)?),
        };
        ioctl_fionbio(socket.as_fd(), true)?;
        Ok(socket)
    }

    /// Waits for the first connection, and then removes the endpoint's file. It replaces the file of a server that was killed, and
    /// refuses that of one that still waits.
    pub fn accept(&self) -> io::Result<Socket> {
        match self {
            Endpoint::Tcp(at) => {
                let (stream, _) = TcpListener::bind(at)?.accept()?;
                stream.set_nodelay(true)?;
                Ok(Socket::Tcp(stream))
            }
            Endpoint::File(path) => {
                // A socket of another kind cannot connect: who waits there does not hear of it.
                let probe = UnixDatagram::unbound()?.connect(path);
                let is_left = probe.is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused);
                if is_left && std::fs::symlink_metadata(path)?.file_type().is_socket() {
                    std::fs::remove_file(path)?;
                }
                let stream = UnixListener::bind(path)?.accept()?.0;
                std::fs::remove_file(path)?;
                Ok(Socket::Unix(stream))
            }
            Endpoint::Name(name) => listen(name)?.accept().map(|(stream, _)| Socket::Unix(stream)),
        }
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Endpoint::Tcp(at) => write!(f, "tcp://{at}"),
            Endpoint::File(path) => write!(f, "ipc://{}", path.display()),
            Endpoint::Name(name) => write!(f, "ipc://@{name}"),
        }
    }
}

/// Connects without waiting: the queue of a listener may be full.
fn connect_unix(at: &SocketAddrUnix) -> io::Result<UnixStream> {
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
    connect(&socket, at)?;
    Ok(UnixStream::from(socket))
}

#[cfg(target_os = "linux")]
fn named(name: &str) -> io::Result<SocketAddrUnix> {
    Ok(SocketAddrUnix::new_abstract_name(name.as_bytes())?)
}

#[cfg(not(target_os = "linux"))]
fn named(_: &str) -> io::Result<SocketAddrUnix> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(target_os = "linux")]
fn listen(name: &str) -> io::Result<UnixListener> {
    use std::os::linux::net::SocketAddrExt;
    UnixListener::bind_addr(&std::os::unix::net::SocketAddr::from_abstract_name(name)?)
}

#[cfg(not(target_os = "linux"))]
fn listen(_: &str) -> io::Result<UnixListener> {
    Err(io::ErrorKind::Unsupported.into())
}

#[derive(Debug)]
pub enum Socket {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Socket::Tcp(stream) => stream.as_fd(),
            Socket::Unix(stream) => stream.as_fd(),
        }
    }
}

impl Read for Socket {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match self {
            Socket::Tcp(stream) => stream.read(bytes),
            Socket::Unix(stream) => stream.read(bytes),
        }
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Socket::Tcp(stream) => stream.write(bytes),
            Socket::Unix(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_a_killed_server_left_blocks_no_start() {
        let path = std::env::temp_dir().join(format!("batchlab-{}.socket", std::process::id()));
        drop(UnixListener::bind(&path).unwrap());
        assert!(path.exists());
        let endpoint = Endpoint::File(path.clone());
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| endpoint.accept().map(drop));
            let nobody = [io::ErrorKind::NotFound, io::ErrorKind::ConnectionRefused];
            let probe = || UnixDatagram::unbound().unwrap().connect(&path).unwrap_err().kind();
            while nobody.contains(&probe()) {}
            // Another server is refused, and the one that waits does not take it for its scheduler.
            assert_eq!(endpoint.accept().err().unwrap().kind(), io::ErrorKind::AddrInUse);
            assert!(!waits.is_finished());
            while endpoint.connect().is_err() {}
            waits.join().unwrap().unwrap();
        });
        assert!(!path.exists());
    }

    #[test]
    fn endpoints_are_on_this_machine() {
        let told = |text: &str| Endpoint::parse(text).map(|endpoint| endpoint.to_string());
        assert_eq!(told("tcp://*:28000"), Ok("tcp://127.0.0.1:28000".into()));
        assert_eq!(told("tcp://localhost:28000"), Ok("tcp://127.0.0.1:28000".into()));
        assert_eq!(told("tcp://[::1]:5"), Ok("tcp://[::1]:5".into()));
        assert_eq!(told("ipc:///tmp/a b"), Ok("ipc:///tmp/a b".into()));
        assert_eq!(told("ipc://@name"), Ok("ipc://@name".into()));
        let error = told("tcp://10.0.0.1:5").unwrap_err();
        assert!(error.ends_with("is not on this machine: a loopback address is wanted"), "{error}");
        for wrong in ["tcp://127.0.0.1", "tcp://localhost:x", "http://localhost:5", "ipc://", "28000"] {
            assert!(told(wrong).unwrap_err().contains("is no endpoint"), "{wrong}");
        }
    }
}
