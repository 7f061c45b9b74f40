import type { NodeMembership } from '../../db/nodes/node-membership.ts'

/** What executions of this node have said so far, and who wants to know. */
export interface LiveOutputs {
  /** Begins an execution of this node. */
  open(executionId: string): LiveOutput
  /** What it has said so far, if it is carried out here. */
  textOf(executionId: string): string | null
  /** Told when there is more to read or it is over; may be told too often. Dispose to end it. */
  subscribe(executionId: string, onNews: () => void): Disposable
  /** For executions that end without being carried out here. */
  notify(executionId: string): void
}

export interface LiveOutput extends Disposable {
  readonly text: string
  append(text: string): void
  /** What was said is void: it is tried again. */
  reset(): void
}

/** Longer answers are cut: no model gives one. */
export const MAX_OUTPUT_CHARS = 1_000_000

type OutputNodeMessage = { outputOf?: string }

export function createLiveOutputs(
  presence: Pick<NodeMembership, 'broadcast' | 'onBroadcast' | 'isOnlyNode'>,
): LiveOutputs {
  const texts = new Map<string, string>()
  const watchers = new Map<string, Set<() => void>>()
  const tellHere = (id: string) => {
    for (const onNews of watchers.get(id) ?? []) onNews()
  }
  presence.onBroadcast((notice) => {
    const { outputOf } = JSON.parse(notice) as OutputNodeMessage
    if (outputOf !== undefined) tellHere(outputOf)
  })
  return {
    textOf: (id) => texts.get(id) ?? null,
    notify(id) {
      tellHere(id)
      if (!presence.isOnlyNode())
        presence.broadcast(JSON.stringify({ outputOf: id } satisfies OutputNodeMessage))
    },
    open(id) {
      texts.set(id, '')
      const set = (text: string) => {
        texts.set(id, text)
        tellHere(id)
      }
      return {
        get text() {
          return texts.get(id) ?? ''
        },
        append(text) {
          // Left out here already, so that positions are the same in what is stored.
          set(`${this.text}${text.replaceAll('\0', '')}`.slice(0, MAX_OUTPUT_CHARS))
        },
        reset: () => set(''),
        [Symbol.dispose]: () => void texts.delete(id),
      }
    },
    subscribe(id, onNews) {
      const all = watchers.get(id) ?? new Set()
      watchers.set(id, all)
      all.add(onNews)
      return {
        [Symbol.dispose]() {
          all.delete(onNews)
          if (all.size === 0) watchers.delete(id)
        },
      }
    },
  }
}
