import { eventStoreContract } from '../contract/event-store.js';
import { MemoryEventStore } from './memory-event-store.js';

eventStoreContract('The store in memory', {
  open: () => Promise.resolve(new MemoryEventStore()),
  reopen: (store) => Promise.resolve(store),
  leftOut: {
    'holds little memory and gives one batch at a time while a handler is slow': 'it keeps every event in memory',
  },
});
