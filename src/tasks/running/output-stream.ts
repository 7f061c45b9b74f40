import type { Db } from '../../db/database.ts'
import { createWakeableSleep } from '../../lib/async/wake-up.ts'
import { STREAM_HEARTBEAT_MS } from '../../lib/net/server-sent-events.ts'
import {
  createOutputPositionCounter,
  isOutputPositionValid,
  type OutputPosition,
} from './output-position.ts'
import type { LiveOutputs } from './live-output.ts'
import type { ExecutionStatus } from '../task.ts'

/** An item of the output stream of an execution. */
export type OutputStreamItem =
  /** New output. `position` is the position after it. */
  | { kind: 'text'; position: OutputPosition; text: string }
  /** Discard all earlier text: a new attempt started, or the stored result differs from the streamed text. */
  | { kind: 'reset' }
  /** The execution ended. */
  | { kind: 'end'; status: ExecutionStatus; summary: string | null }
  /** A heartbeat, which prevents an idle timeout of the connection. */
  | null

/** Notifications from other nodes can be lost, so the stream also polls the database at this interval. */
const POLL_INTERVAL_MS = 1_000

/** Streams the output of an execution from a position on, until the execution ends. */
export async function* streamExecutionOutput(
  { db, outputs }: { db: Db; outputs: LiveOutputs },
  executionId: string,
  after: OutputPosition,
  signal: AbortSignal,
): AsyncGenerator<OutputStreamItem> {
  const wakeUp = createWakeableSleep()
  using stack = new DisposableStack()
  stack.use(outputs.subscribe(executionId, wakeUp.wake))
  signal.addEventListener('abort', wakeUp.wake, { once: true })
  /** The text that the reader has. Null until the first read shows whether its position is still valid. */
  let sentText: string | null = null
  let counter = createOutputPositionCounter()
  let heartbeatAt = performance.now()
  while (!signal.aborted) {
    const state = await readOutputState(db, outputs, executionId)
    if (state === null) return
    if (sentText === null && isOutputPositionValid(after, state.text)) {
      sentText = state.text.slice(0, after.chars)
      counter = createOutputPositionCounter(sentText)
    }
    if (sentText === null || !state.text.startsWith(sentText)) {
      sentText = ''
      counter = createOutputPositionCounter()
      yield { kind: 'reset' }
    }
    if (state.text.length > sentText.length) {
      const text = state.text.slice(sentText.length)
      sentText = state.text
      counter.add(text)
      yield { kind: 'text', position: counter.position(), text }
    }
    if (state.status !== 'running') {
      yield { kind: 'end', status: state.status, summary: state.summary }
      return
    }
    await wakeUp.sleep(POLL_INTERVAL_MS)
    if (performance.now() - heartbeatAt > STREAM_HEARTBEAT_MS) {
      heartbeatAt = performance.now()
      yield null
    }
  }
}

async function readOutputState(db: Db, outputs: LiveOutputs, executionId: string) {
  const liveText = outputs.textOf(executionId)
  if (liveText !== null) return { status: 'running' as const, text: liveText, summary: null }
  const row = await db
    .selectFrom('execution')
    .select(['status', 'output as text', 'result_summary as summary'])
    .where('id', '=', executionId)
    .executeTakeFirst()
  return row ?? null
}
