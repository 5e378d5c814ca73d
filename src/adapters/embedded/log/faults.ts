/** Where and how a test makes the log worker fail; it reaches the worker through shared memory. */
const FAULT_POINTS = ['beforeCommit', 'afterCommit'] as const;
const FAULTS = ['none', 'fail', 'endWorker', 'killProcess'] as const;

export type FaultPoint = (typeof FAULT_POINTS)[number];
type Fault = (typeof FAULTS)[number];

export class LogFaults {
  constructor(readonly memory: SharedArrayBuffer = new SharedArrayBuffer(FAULT_POINTS.length)) {}

  set(point: FaultPoint, fault: Fault): void {
    new Uint8Array(this.memory)[FAULT_POINTS.indexOf(point)] = FAULTS.indexOf(fault);
  }

  strike(point: FaultPoint): void {
    const fault = FAULTS[new Uint8Array(this.memory)[FAULT_POINTS.indexOf(point)] ?? 0];
    if (fault === 'fail') throw new Error('the disk failed as a test asked');
    if (fault === 'endWorker') process.exit(1);
    if (fault === 'killProcess') process.kill(process.pid, 'SIGKILL');
  }
}
