import { lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Where a webhook must not go unless the operator says so: this machine, its network, and what is no host at all. */
const privateAddresses = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8],
  ['169.254.0.0', 16], // link-local, the clouds' metadata services among it
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15], // benchmarking
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4],
] as const) {
  privateAddresses.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::', 96], // unspecified, loopback, and IPv4 hosts in the deprecated form ::a.b.c.d
  // NAT64, 6to4 and Teredo reach IPv4 hosts by another name.
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['2001::', 32],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  privateAddresses.addSubnet(network, prefix, 'ipv6');
}

/** True also of what is no address. */
export function isPrivateAddress(text: string): boolean {
  const address = text.split('%', 1)[0]!; // fe80::1%eth0
  const family = isIP(address);
  if (family === 0) return true;
  // BlockList checks IPv4-mapped IPv6 addresses against the IPv4 rules by itself.
  return privateAddresses.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

export class PrivateAddressError extends Error {
  constructor(host: string) {
    super(
      `${host} is a private or link-local address, to which webhooks are not sent. The operator can allow it.`,
    );
    this.name = 'PrivateAddressError';
  }
}

/**
 * A `lookup` for outgoing connections that refuses private addresses. It runs when the connection is made and hands on
 * just the addresses it has checked, so a name that answers differently the second time (DNS rebinding) gains nothing.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  systemLookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) {
      callback(error, []);
      return;
    }
    if (addresses.some(({ address }) => isPrivateAddress(address))) {
      callback(new PrivateAddressError(hostname), []);
      return;
    }
    if (options.all) {
      callback(null, addresses);
      return;
    }
    const [first] = addresses;
    if (!first) {
      callback(new Error(`${hostname} has no address`), []);
      return;
    }
    callback(null, first.address, first.family);
  });
};
