import type { Db } from '../../db/database.ts'
import { createWakeUp } from '../../lib/async/wake-up.ts'
import { createPositionCounter, isPositionInText, type OutputPosition } from './output-position.ts'
import type { LiveOutputs } from './live-output.ts'
import type { ExecutionStatus } from '../task.ts'

/** A piece of what an execution says, or its end. `position`: behind it. */
export type OutputStreamItem =
  | { kind: 'text'; position: OutputPosition; text: string }
  /** What was said so far is void: a new attempt began, or what is kept of it at the end is less. */
  | { kind: 'reset' }
  | { kind: 'end'; status: ExecutionStatus; summary: string | null }
  /** A sign of life. */
  | null

const HEARTBEAT_MS = 15_000
/** Other nodes say when there is more; who must not miss it looks so often. */
const POLL_INTERVAL_MS = 1_000

/** What an execution says from a position on, until it is over. */
export async function* streamExecutionOutput(
  { db, outputs }: { db: Db; outputs: LiveOutputs },
  executionId: string,
  after: OutputPosition,
  signal: AbortSignal,
): AsyncGenerator<OutputStreamItem> {
  const wakeUp = createWakeUp()
  using stack = new DisposableStack()
  stack.use(outputs.subscribe(executionId, wakeUp.wake))
  signal.addEventListener('abort', wakeUp.wake, { once: true })
  /** What whoever watches has; null: until it is seen whether the position still holds. */
  let known: string | null = null
  let counter = createPositionCounter()
  let beatAt = performance.now()
  while (!signal.aborted) {
    const state = await readOutputState(db, outputs, executionId)
    if (state === null) return
    if (known === null && isPositionInText(after, state.text)) {
      known = state.text.slice(0, after.chars)
      counter = createPositionCounter(known)
    }
    if (known === null || !state.text.startsWith(known)) {
      known = ''
      counter = createPositionCounter()
      yield { kind: 'reset' }
    }
    if (state.text.length > known.length) {
      const text = state.text.slice(known.length)
      known = state.text
      counter.add(text)
      yield { kind: 'text', position: counter.position(), text }
    }
    if (state.status !== 'running') {
      yield { kind: 'end', status: state.status, summary: state.summary }
      return
    }
    await wakeUp.sleep(POLL_INTERVAL_MS)
    if (performance.now() - beatAt > HEARTBEAT_MS) {
      beatAt = performance.now()
      yield null
    }
  }
}

async function readOutputState(db: Db, outputs: LiveOutputs, executionId: string) {
  const here = outputs.textOf(executionId)
  if (here !== null) return { status: 'running' as const, text: here, summary: null }
  const row = await db
    .selectFrom('execution')
    .select(['status', 'output as text', 'result_summary as summary'])
    .where('id', '=', executionId)
    .executeTakeFirst()
  return row ?? null
}
