import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressGroup } from '../kernel/values/address-group.js';
import { ClientAddresses } from './exchange/network-address.js';

export interface ConnectionLimits {
  /** Connections at once in all; 0 is no limit. */
  readonly maxConnections?: number | undefined;
  /** Open connections of one address; 0 is no limit. */
  readonly maxConnectionsPerAddress?: number | undefined;
  /** These stand for many clients, so theirs are not counted by address. */
  readonly trustedProxies?: readonly string[] | undefined;
}

/** Closes connections beyond the limits before they cost anything. */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  const { maxConnections = 0, maxConnectionsPerAddress = 0, trustedProxies } = limits;
  if (maxConnections > 0) server.maxConnections = maxConnections;
  if (maxConnectionsPerAddress === 0) return;
  const proxies = new ClientAddresses(trustedProxies);
  const open = new Map<string, number>();
  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || proxies.isTrusted(remoteAddress)) return;
    const group = addressGroup(remoteAddress);
    const count = open.get(group) ?? 0;
    if (count >= maxConnectionsPerAddress) {
      socket.destroy();
      return;
    }
    open.set(group, count + 1);
    socket.once('close', () => {
      const left = (open.get(group) ?? 1) - 1;
      if (left > 0) open.set(group, left);
      else open.delete(group);
    });
  });
}
