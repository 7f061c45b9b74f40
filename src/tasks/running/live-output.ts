import { createHash } from 'node:crypto'
import type { Db } from '../../db/database.ts'
import type { NodeMembership } from '../../db/nodes/node-membership.ts'
import { createWakeableSleep } from '../../lib/async/wake-up.ts'
import { STREAM_HEARTBEAT_MS } from '../../lib/net/server-sent-events.ts'
import type { ExecutionStatus } from '../task.ts'

export interface LiveOutput extends Disposable {
  readonly text: string
  append(text: string): void
  /** Discards the output, because the model is asked again. */
  reset(): void
}

/** Output beyond this length is cut off. No model writes that much. */
export const MAX_OUTPUT_CHARS = 1_000_000

/** An item of the output stream of an execution. */
export type OutputStreamItem =
  /** New output. `position` is the position after it. */
  | { kind: 'text'; position: OutputPosition; text: string }
  /** Discard all earlier text, because a new attempt started or the stored result differs from the streamed text. */
  | { kind: 'reset' }
  /** The execution ended. */
  | { kind: 'end'; status: ExecutionStatus; summary: string | null }
  /** A heartbeat, which prevents an idle timeout of the connection. */
  | null

/** Notifications from other nodes can be lost, so the stream also polls the database. */
const POLL_INTERVAL_MS = 1_000

/**
 * A reader's position in the output of an execution: a number of characters and their digest. The digest shows if the
 * output before the position was replaced, for example by another attempt.
 */
export type OutputPosition = {
  chars: number
  /** Null if the reader gave only a number. Then the text before the position is not checked. */
  digest: string | null
}

export const OUTPUT_START_POSITION: OutputPosition = { chars: 0, digest: null }
export const OUTPUT_POSITION_PATTERN = /^(\d{1,9})(?:-([0-9a-f]{12}))?$/

/** The output of running executions while the model writes it, and its subscribers. */
export function createLiveOutputs(membership: Pick<NodeMembership, 'broadcast' | 'onMessage'>) {
  const texts = new Map<string, string>()
  const subscribers = new Map<string, Set<() => void>>()
  const notifyLocal = (id: string) => {
    for (const onChange of subscribers.get(id) ?? []) onChange()
  }
  membership.onMessage('execution_output', ({ executionId }) => notifyLocal(executionId))
  return {
    /** The output so far; null if the execution does not run on this node. */
    textOf: (id: string) => texts.get(id) ?? null,
    /** Notifies subscribers on all nodes of an execution that ended without running here. */
    notify(id: string): void {
      notifyLocal(id)
      membership.broadcast('execution_output', { executionId: id })
    },
    /** Call when this node starts an execution. */
    open(id: string): LiveOutput {
      texts.set(id, '')
      const set = (text: string) => {
        texts.set(id, text)
        notifyLocal(id)
      }
      return {
        get text() {
          return texts.get(id) ?? ''
        },
        append(text) {
          // PostgreSQL cannot store NUL. Removing it here keeps stream positions equal to positions in the stored text.
          set(`${this.text}${text.replaceAll('\0', '')}`.slice(0, MAX_OUTPUT_CHARS))
        },
        reset: () => set(''),
        [Symbol.dispose]: () => void texts.delete(id),
      }
    },
    /** `onChange` runs on more output and at the end of the execution; calls can be spurious. Dispose to unsubscribe. */
    subscribe(id: string, onChange: () => void): Disposable {
      const all = subscribers.get(id) ?? new Set()
      subscribers.set(id, all)
      all.add(onChange)
      return {
        [Symbol.dispose]() {
          all.delete(onChange)
          if (all.size === 0) subscribers.delete(id)
        },
      }
    },
  }
}

export type LiveOutputs = ReturnType<typeof createLiveOutputs>

/** Streams the output of an execution from a position until the execution ends. */
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
  /** The text that the reader has. Null until the first read shows if the position is still valid. */
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

/** Parses a position; null if the text is not one. */
export function parseOutputPosition(text: string): OutputPosition | null {
  const [, chars, digest = null] = OUTPUT_POSITION_PATTERN.exec(text) ?? []
  return chars === undefined ? null : { chars: Number(chars), digest }
}

export function formatOutputPosition({ chars, digest }: OutputPosition): string {
  return digest === null ? String(chars) : `${chars}-${digest}`
}

/** True if the text before the position is still the text that the reader received. */
export function isOutputPositionValid({ chars, digest }: OutputPosition, text: string): boolean {
  if (chars > text.length) return false
  return (
    digest === null ||
    createOutputPositionCounter(text.slice(0, chars)).position().digest === digest
  )
}

/** Tracks the position at the end of a growing text without hashing all of it each time. */
export function createOutputPositionCounter(text = '') {
  const hash = createHash('sha256')
  let chars = 0
  const add = (piece: string) => {
    // UTF-16 gives the same digest even if a surrogate pair is split between two pieces.
    hash.update(piece, 'utf16le')
    chars += piece.length
  }
  add(text)
  return {
    add,
    position: (): OutputPosition => ({ chars, digest: hash.copy().digest('hex').slice(0, 12) }),
  }
}
