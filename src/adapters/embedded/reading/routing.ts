import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { PagedQuery } from '../../../ports/read-models.js';
import type { Sql } from './conditions.js';
import type { ListPlan, RowList } from './list-plans.js';
import { BETWEEN } from './list-plans.js';
import type { Cells, Plan } from './plan.js';
import type { LargePage, Reading } from '../read-protocol.js';
import type { Readers } from './readers.js';
import { endOf, PlanRunner } from './runner.js';

/** What the event loop can afford. */
const LOCAL_ROWS = 200;
const LOCAL_BODIES = 24;
const LOCAL_OFFSET = 1_000;
/** So many bodies are read so quickly that others may wait for it. */
const SHORT = 1_000;

interface Ended<T> {
  readonly items: readonly T[];
  /** Where the page ends if there is more: the sort's value and the id. */
  readonly end: Cells | undefined;
}

const isQuick = ({ offset = 0, words }: PagedQuery): boolean => offset <= LOCAL_OFFSET && !words;

export const isSmall = (query: PagedQuery): boolean => query.limit <= LOCAL_ROWS && isQuick(query);

const bodiesIn = (text: string): readonly string[] => (text === '' ? [] : text.split(BETWEEN));

/** Runs plans where they hold nobody up: on the event loop what is small, on the threads that read everything else. */
export class ReadRouting {
  private readonly runner: PlanRunner;

  constructor(
    database: DatabaseSyncInstance,
    private readonly readers: Pick<Readers, 'ask' | 'askShort'>,
  ) {
    this.runner = new PlanRunner(database);
  }

  /** Here and now. */
  cells(statement: Sql): readonly Cells[] {
    return this.runner.cells(statement);
  }

  /** `most`: how many it gives of what is quickly found; undefined when finding them may take long. */
  async rows(plan: Plan, most?: number): Promise<readonly Cells[]> {
    if (most !== undefined && most <= LOCAL_ROWS) return this.runner.run(plan);
    return this.many(plan);
  }

  async page(plan: Plan, query: PagedQuery): Promise<Ended<Cells>> {
    const { limit } = query;
    if (isSmall(query)) {
      const { rows, end } = this.runner.page(plan, limit);
      return { items: rows, end };
    }
    const found = await this.many(plan);
    return { items: found.length > limit ? found.slice(0, limit) : found, end: endOf(found, limit) };
  }

  /** The page of a plan whose first column is the body. */
  async pageOfBodies(plan: Plan, query: PagedQuery): Promise<Ended<string>> {
    const { limit } = query;
    if (isQuick(query) && limit <= LOCAL_BODIES) {
      const { rows, end } = this.runner.page(plan, limit);
      return { items: rows.map(([body]) => body as string), end };
    }
    const { text, end } = (await this.ask({ kind: 'bodies', plan, limit }, isSmall(query))) as LargePage;
    return { items: bodiesIn(text), end };
  }

  async bodies(statement: Sql, most: number): Promise<readonly string[]> {
    return bodiesIn(await this.text(statement, most));
  }

  /** What a statement gives as one text, of so many records at most. */
  async text(statement: Sql, most: number): Promise<string> {
    const found =
      most <= LOCAL_BODIES
        ? this.runner.cells(statement)
        : ((await this.ask({ kind: 'cells', statement }, most <= SHORT)) as Cells[]);
    return (found[0]?.[0] ?? '') as string;
  }

  async list(plan: ListPlan): Promise<RowList> {
    return (await this.readers.ask({ kind: 'list', plan })) as RowList;
  }

  private async many(plan: Plan): Promise<Cells[]> {
    return JSON.parse((await this.readers.ask({ kind: 'plan', plan })) as string) as Cells[];
  }

  private ask(asked: Reading, isShort: boolean): Promise<unknown> {
    return isShort ? this.readers.askShort(asked) : this.readers.ask(asked);
  }
}
