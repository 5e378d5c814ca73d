import { reactorContract } from '../../contract/reactors.js';
import { MemoryEventStore } from '../../support/memory-event-store.js';
import { MemoryVault } from '../../support/memory-vault.js';
import { UnreliableVault } from '../../support/unreliable-vault.js';

reactorContract('a log in memory', {
  open: (clock) => Promise.resolve({ eventStore: new MemoryEventStore(), vault: new MemoryVault(clock.now) }),
});

reactorContract('a vault that writes row by row', {
  open: (clock) =>
    Promise.resolve({
      eventStore: new MemoryEventStore(),
      vault: new UnreliableVault(new MemoryVault(clock.now), false),
    }),
});
