/** Splits a text that arrives in pieces into sentences. A sentence includes the citations that follow its period. */
export interface SentenceSplitter {
  /** Adds a piece of the text and returns the sentences that are complete now. */
  add(text: string): string[]
  /** Returns what is left when the text has ended. */
  end(): string[]
}

/** A text without any sentence end is cut here, so that the memory stays small. */
const MAX_PENDING_CHARS = 4_000
/** The end of a line is the end of a sentence, also without a period. */
const LINE_BREAK = /[\n\r\u2028\u2029]/
const CITATION = String.raw`[[【]\s*\d[\d\s,;–-]*[\]】]`
/** Terminators of any script with closing quotes and brackets, and the citations after them. */
const SENTENCE_END = new RegExp(
  String.raw`[.!?…؟।。！？｡]+["'”’»)\]）」』]*(?:\s*${CITATION})*[.!?…؟।。！？｡]*`,
  'gu',
)
/** Scripts with these terminators write no space between sentences. */
const UNSPACED_END = new RegExp(String.raw`[。！？｡]["'”’»)\]）」』]*(?:\s*${CITATION})*$`, 'u')
/** The beginning of a citation, whose end may follow in the next piece. */
const OPEN_CITATION = /^\s*[[【][\d\s,;–-]*$/u
const WHOLE_WORD = /^\s+\S+\s/u
const MAX_WORD_CHARS = 30
const LAST_WORD = /[\p{L}\p{N}.]+$/u
const ABBREVIATIONS = new Set(
  [
    'mr mrs ms dr prof st sr jr no vs approx dept inc ltd co corp e.g i.e a.m p.m u.s u.k',
    'nr ca bzw usw ggf evtl inkl vgl abs str z.b d.h u.a',
    'mme mlle sra srta dra ing aprox pág p.ej p.ex',
  ].flatMap((words) => words.split(' ')),
)
/** German dates and ordinals have a period: `am 3. Mai`. */
const AFTER_ORDINAL =
  /^(?:Jan|Feb|März|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|Quartal|Stock|Etage|Woche|Kalenderwoche)/u

export function createSentenceSplitter(): SentenceSplitter {
  let pending = ''
  const takeComplete = (isEnd: boolean): string[] => {
    const lines = pending.split(LINE_BREAK)
    const last = splitLine(lines.pop() ?? '', isEnd)
    pending = last.rest
    return [...lines.flatMap((line) => splitLine(line, true).sentences), ...last.sentences]
  }
  return {
    add(text) {
      const sentences: string[] = []
      // A long piece is read in parts, because the time that the patterns need grows faster than the length.
      for (let start = 0; start < text.length; start += MAX_PENDING_CHARS) {
        pending += text.slice(start, start + MAX_PENDING_CHARS)
        sentences.push(...takeComplete(false))
        if (pending.length <= MAX_PENDING_CHARS) continue
        sentences.push(pending)
        pending = ''
      }
      return sentences
    },
    end: () => takeComplete(true),
  }
}

function splitLine(line: string, isEnd: boolean): { sentences: string[]; rest: string } {
  const sentences: string[] = []
  let start = 0
  for (const match of line.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length
    const [before, after] = [line.slice(start, end), line.slice(end)]
    if (!isEnd && !canDecide(before, after)) break
    if (!isSentenceEnd(before, after)) continue
    sentences.push(before)
    start = end
  }
  const rest = line.slice(start)
  if (!isEnd) return { sentences, rest }
  return { sentences: [...sentences, rest].filter((text) => text.trim() !== ''), rest: '' }
}

/** Whether what follows in the next piece cannot change the decision: a citation, or the first word after it. */
function canDecide(before: string, after: string): boolean {
  if (after.trim() === '' || OPEN_CITATION.test(after)) return false
  return !/^\s/.test(after) || UNSPACED_END.test(before) || WHOLE_WORD.test(after)
}

function isSentenceEnd(before: string, after: string): boolean {
  if (UNSPACED_END.test(before)) return true
  if (after !== '' && !/^\s/.test(after)) return false
  const next = after.trimStart()
  // The period belongs to an abbreviation, or to an omission in the middle of the sentence.
  if (/^\p{Ll}/u.test(next)) return false
  if (!before.endsWith('.')) return true
  const word = LAST_WORD.exec(before.slice(-MAX_WORD_CHARS, -1))?.[0] ?? ''
  if (/^\p{L}$/u.test(word) || ABBREVIATIONS.has(word.toLowerCase())) return next === ''
  if (!/^\d{1,2}$/.test(word)) return true
  const isListNumber = before.trim() === `${word}.`
  return !isListNumber && !AFTER_ORDINAL.test(next)
}
