import type { NodeMembership } from '../../db/nodes/node-membership.ts'

/** The output of running executions while the model writes it, and its subscribers. */
export interface LiveOutputs {
  /** Call when this node starts an execution. */
  open(executionId: string): LiveOutput
  /** The output so far; null when the execution does not run on this node. */
  textOf(executionId: string): string | null
  /** `onChange` runs when there is more output or the execution ended; calls can be spurious. Dispose to unsubscribe. */
  subscribe(executionId: string, onChange: () => void): Disposable
  /** Notifies subscribers on every node, for an execution that ended without running here. */
  notify(executionId: string): void
}

export interface LiveOutput extends Disposable {
  readonly text: string
  append(text: string): void
  /** Discards the output, because the model is asked again. */
  reset(): void
}

/** Output beyond this is cut off; no model writes that much. */
export const MAX_OUTPUT_CHARS = 1_000_000

export function createLiveOutputs(
  membership: Pick<NodeMembership, 'broadcast' | 'onMessage'>,
): LiveOutputs {
  const texts = new Map<string, string>()
  const subscribers = new Map<string, Set<() => void>>()
  const notifyLocal = (id: string) => {
    for (const onChange of subscribers.get(id) ?? []) onChange()
  }
  membership.onMessage('execution_output', ({ executionId }) => notifyLocal(executionId))
  return {
    textOf: (id) => texts.get(id) ?? null,
    notify(id) {
      notifyLocal(id)
      membership.broadcast('execution_output', { executionId: id })
    },
    open(id) {
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
    subscribe(id, onChange) {
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
