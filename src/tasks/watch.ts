import type { Db } from '../db/open.ts'
import { createWakeUp } from '../lib/wake-up.ts'
import type { Outputs } from './output.ts'
import type { ExecutionStatus } from './task.ts'

/** A piece of what an execution says, or its end. `position`: characters up to and with it. */
export type Piece =
  | { kind: 'text'; position: number; text: string }
  /** What was said so far is void: a new attempt begins. */
  | { kind: 'reset' }
  | { kind: 'end'; status: ExecutionStatus; summary: string | null }
  /** A sign of life. */
  | null

const BEAT_MS = 15_000
/** Other nodes say when there is more; who must not miss it looks so often. */
const LOOK_MS = 1_000

/** What an execution says from a position on, until it is over. */
export async function* watchExecution(
  { db, outputs }: { db: Db; outputs: Outputs },
  executionId: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<Piece> {
  const wakeUp = createWakeUp()
  using stack = new DisposableStack()
  stack.use(outputs.watch(executionId, wakeUp.wake))
  signal.addEventListener('abort', wakeUp.wake, { once: true })
  let position = after
  let beatAt = performance.now()
  while (!signal.aborted) {
    const state = await stateOf(db, outputs, executionId)
    if (state === null) return
    if (state.text.length < position) {
      position = 0
      yield { kind: 'reset' }
    }
    if (state.text.length > position) {
      const text = state.text.slice(position)
      position = state.text.length
      yield { kind: 'text', position, text }
    }
    if (state.status !== 'running') {
      yield { kind: 'end', status: state.status, summary: state.summary }
      return
    }
    await wakeUp.sleep(LOOK_MS)
    if (performance.now() - beatAt > BEAT_MS) {
      beatAt = performance.now()
      yield null
    }
  }
}

async function stateOf(db: Db, outputs: Outputs, executionId: string) {
  const here = outputs.textOf(executionId)
  if (here !== null) return { status: 'running' as const, text: here, summary: null }
  const row = await db
    .selectFrom('execution')
    .select(['status', 'output as text', 'result_summary as summary'])
    .where('id', '=', executionId)
    .executeTakeFirst()
  return row ?? null
}
