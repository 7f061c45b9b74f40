/** Leaves out the reasoning that some models write in tags at the beginning. The text arrives in pieces. */
export interface ReasoningSkipper {
  /** Returns the part of the text that belongs to the answer and was not returned before. */
  add(text: string): string
  /** Returns the remaining text when the text has ended. */
  end(): string
}

const START = /^\s*<think(?:ing)?>/i
const END = /<\/think(?:ing)?>/i
const LONGEST_START = '<thinking>'
const LONGEST_END = '</thinking>'

export function createReasoningSkipper(): ReasoningSkipper {
  let mode: 'beginning' | 'reasoning' | 'afterReasoning' | 'answer' = 'beginning'
  let pending = ''
  const takePending = () => {
    const text = pending
    pending = ''
    return text
  }
  return {
    add(text) {
      if (mode === 'answer') return text
      pending += text
      if (mode === 'beginning') {
        const beginning = pending.trimStart().toLowerCase()
        if (LONGEST_START.startsWith(beginning)) return ''
        mode = START.test(pending) ? 'reasoning' : 'answer'
      }
      if (mode === 'reasoning') {
        const end = END.exec(pending)
        // The end tag may be split between two pieces.
        pending =
          end === null
            ? pending.slice(-LONGEST_END.length)
            : pending.slice(end.index + end[0].length)
        if (end === null) return ''
        mode = 'afterReasoning'
      }
      if (mode === 'afterReasoning') {
        pending = pending.trimStart()
        if (pending === '') return ''
        mode = 'answer'
      }
      return takePending()
    },
    end: () => (mode === 'beginning' ? takePending() : ''),
  }
}
