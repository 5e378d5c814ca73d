import { mongoServer } from './mongodb-server.js';
import { roundTrips, tableOf } from './round-trips.js';
import makeServiceDocument, { forgetServiceDocument } from './service-document.js';

// Answers are checked here as in tests.
makeServiceDocument();
const mongo = await mongoServer();
if (typeof mongo === 'string') throw new Error(`MongoDB cannot be stood in for: ${mongo}`);
process.stdout.write(`${tableOf(await roundTrips(mongo))}\n`);
await mongo.dispose();
forgetServiceDocument();
process.exit(0);
