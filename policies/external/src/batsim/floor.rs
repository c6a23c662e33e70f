//! The hosts, their holders, and which hosts are out of service.

use batchlab_traces::Machine;

use super::hosts::HostSet;
use batchlab_contract::placement::{Placement, Share};

/// The hosts of a machine: its processors, numbered through its nodes.
#[derive(Debug)]
pub struct Floor {
    /// The first host of each node, and the number of hosts.
    first: Vec<u32>,
    states: Vec<HostState>,
    /// The hosts of each node that are out of service and still held.
    owed: Vec<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HostState {
    Free,
    Held,
    Out,
}

impl Floor {
    pub fn new(machine: &Machine) -> Floor {
        let mut first: Vec<u32> = vec![0];
        for node in 0..machine.nodes() {
            let hosts = u32::try_from(machine.capacity(node)[0]).unwrap_or(0);
            first.push(first[node].saturating_add(hosts));
        }
        let count = *first.last().unwrap_or(&0) as usize;
        Floor { states: vec![HostState::Free; count], owed: vec![0; machine.nodes()], first }
    }

    pub fn count(&self) -> u32 {
        self.states.len() as u32
    }

    /// Gives hosts to a job: they have to exist and to be free.
    pub fn take(&mut self, hosts: &HostSet) -> Result<(), String> {
        if let Some(last) = hosts.last().filter(|&last| last >= self.count()) {
            return Err(format!("host {last} does not exist: there are {}, counted from 0", self.count()));
        }
        for host in hosts.hosts() {
            match self.states[host as usize] {
                HostState::Free => {}
                HostState::Held => return Err(format!("host {host} is held by another job")),
                HostState::Out => return Err(format!("host {host} is out of service")),
            }
        }
        hosts.hosts().for_each(|host| self.states[host as usize] = HostState::Held);
        Ok(())
    }

    /// Takes hosts back; returns those that go out of service with this.
    pub fn give_back(&mut self, hosts: &HostSet) -> HostSet {
        let mut out = Vec::new();
        for host in hosts.hosts() {
            let node = self.node(host);
            let owes = self.owed[node] > 0;
            self.owed[node] -= i64::from(owes);
            self.states[host as usize] = if owes { HostState::Out } else { HostState::Free };
            out.extend(owes.then_some(host));
        }
        HostSet::of(out)
    }

    /// Sets how many of a node's hosts are in service; returns the hosts that go out, and the hosts that come back.
    pub fn serve(&mut self, node: usize, in_service: i64) -> (HostSet, HostSet) {
        let hosts = self.first[node]..self.first[node + 1];
        let states = &self.states;
        let is = |state: HostState| move |host: &u32| states[*host as usize] == state;
        let out = hosts.clone().filter(is(HostState::Out)).count() as i64;
        let gone = hosts.len() as i64 - in_service - out - self.owed[node];
        let (mut leave, mut come) = (Vec::new(), Vec::new());
        if gone > 0 {
            leave.extend(hosts.rev().filter(is(HostState::Free)).take(gone as usize));
            self.owed[node] += gone - leave.len() as i64;
        } else {
            let forgiven = self.owed[node].min(-gone);
            self.owed[node] -= forgiven;
            come.extend(hosts.filter(is(HostState::Out)).take((-gone - forgiven) as usize));
        }
        for &host in &leave {
            self.states[host as usize] = HostState::Out;
        }
        for &host in &come {
            self.states[host as usize] = HostState::Free;
        }
        (HostSet::of(leave), HostSet::of(come))
    }

    /// Returns the processors of each node among these hosts.
    pub fn placement(&self, hosts: &HostSet) -> Placement {
        let mut shares: Vec<Share> = Vec::new();
        for host in hosts.hosts() {
            let node = self.node(host) as u32;
            match shares.last_mut() {
                Some(share) if share.node == node => share.procs += 1,
                _ => shares.push(Share::new(node, 1)),
            }
        }
        Placement(shares)
    }

    fn node(&self, host: u32) -> usize {
        self.first.partition_point(|&first| first <= host) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> HostSet {
        HostSet::parse(text).unwrap()
    }

    #[test]
    fn a_host_is_held_by_one_job() {
        let mut floor = Floor::new(&Machine::pool(4).unwrap());
        floor.take(&set("0-1")).unwrap();
        assert_eq!(floor.take(&set("1-2")).unwrap_err(), "host 1 is held by another job");
        assert_eq!(
            floor.take(&set("2-4")).unwrap_err(),
            "host 4 does not exist: there are 4, counted from 0"
        );
        floor.take(&set("2-3")).unwrap();
        assert_eq!(floor.give_back(&set("0-1")), HostSet::default());
        floor.take(&set("0")).unwrap();
    }

    #[test]
    fn hosts_that_are_held_go_out_when_they_are_given_back() {
        let mut floor = Floor::new(&Machine::pool(4).unwrap());
        floor.take(&set("0-2")).unwrap();
        assert_eq!(floor.serve(0, 2), (set("3"), set("")));
        assert_eq!(floor.give_back(&set("0-2")), set("0"));
        assert_eq!(floor.take(&set("0")).unwrap_err(), "host 0 is out of service");
        assert_eq!(floor.serve(0, 4), (set(""), set("0 3")));
        floor.take(&set("0-3")).unwrap();
    }
}
