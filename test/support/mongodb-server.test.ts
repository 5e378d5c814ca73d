import { expect, test } from '@jest/globals';
import type { Filter } from 'mongodb';
import { MongoClient } from 'mongodb';
import { mongoServer } from './mongodb-server.js';

interface Numbered {
  readonly _id: string;
  readonly position: number;
}

const mongo = await mongoServer();
if (typeof mongo === 'string' || !mongo.isFerretdb) {
  test.skip('FerretDB (left out: another server stands there, or none)', () => undefined);
} else {
  test('what is asked for by id is looked up in an index, whatever else is asked of it', async () => {
    const client = new MongoClient(mongo.freshUrl());
    try {
      const documents = client.db().collection<Numbered>('documents');
      await documents.insertMany(['a', 'b', 'c"é', 'd'].map((_id, position) => ({ _id, position })));
      const filters: readonly (readonly [Filter<Numbered>, readonly string[]])[] = [
        [{ _id: 'b' }, ['b']],
        [{ _id: 'b', position: { $lt: 9 } }, ['b']],
        [{ _id: 'b', position: { $lt: 1 } }, []],
        [{ _id: { $in: ['c"é', 'a', 'none'] } }, ['a', 'c"é']],
        [{ $and: [{ position: { $gt: 1 } }, { _id: { $in: ['a', 'd'] } }] }, ['d']],
      ];
      for (const [filter, ids] of filters) {
        const plan = JSON.stringify(await documents.find(filter).explain());
        const found = await documents.find(filter).sort({ _id: 1 }).toArray();
        expect([filter, found.map(({ _id }) => _id)]).toEqual([filter, ids]);
        expect(plan).toContain('SEARCH');
        expect(plan).not.toContain('SCAN');
      }
      const { matchedCount } = await documents.replaceOne({ _id: 'c"é', position: { $lt: 9 } }, { position: 7 });
      expect([matchedCount, await documents.findOne({ _id: 'c"é' })]).toEqual([1, { _id: 'c"é', position: 7 }]);
      expect((await documents.deleteMany({ _id: { $in: ['a', 'b'] } })).deletedCount).toBe(2);
    } finally {
      await client.close();
      await mongo.dispose();
    }
  });
}
