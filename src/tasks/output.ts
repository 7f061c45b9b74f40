import type { Presence } from '../db/presence.ts'

/** What executions of this node have said so far, and who wants to know. */
export interface Outputs {
  /** Begins an execution of this node. */
  open(executionId: string): Output
  /** What it has said so far, if it is carried out here. */
  textOf(executionId: string): string | null
  /** Told when there is more to read or it is over; may be told too often. Dispose to end it. */
  watch(executionId: string, onNews: () => void): Disposable
  /** For executions that end without being carried out here. */
  tell(executionId: string): void
}

export interface Output extends Disposable {
  readonly text: string
  add(text: string): void
  /** What was said is void: it is tried again. */
  reset(): void
}

/** Longer answers are cut: no model gives one. */
export const MAX_OUTPUT_CHARS = 1_000_000

type Notice = { outputOf?: string }

export function createOutputs(presence: Pick<Presence, 'call' | 'onCall' | 'isAlone'>): Outputs {
  const texts = new Map<string, string>()
  const watchers = new Map<string, Set<() => void>>()
  const tellHere = (id: string) => {
    for (const onNews of watchers.get(id) ?? []) onNews()
  }
  presence.onCall((notice) => {
    const { outputOf } = JSON.parse(notice) as Notice
    if (outputOf !== undefined) tellHere(outputOf)
  })
  return {
    textOf: (id) => texts.get(id) ?? null,
    tell(id) {
      tellHere(id)
      if (!presence.isAlone()) presence.call(JSON.stringify({ outputOf: id } satisfies Notice))
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
        add(text) {
          // Left out here already, so that positions are the same in what is stored.
          set(`${this.text}${text.replaceAll('\0', '')}`.slice(0, MAX_OUTPUT_CHARS))
        },
        reset: () => set(''),
        [Symbol.dispose]: () => void texts.delete(id),
      }
    },
    watch(id, onNews) {
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
