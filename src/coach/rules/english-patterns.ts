import { sha256Base64 } from '../../lib/crypto.ts'
import { shortenToOneLine } from '../text/display-text.ts'
import { splitSentences } from '../text/words-and-sentences.ts'

/** The first words of tasks that people promise or ask for. Most other verbs after "I'll" promise nothing. */
const TASK = startingWith([
  'send|resend|write|rewrite|prepare|check|double-check|review|update|fix|create|call|phone|email|mail|ask',
  'schedule|reschedule|book|arrange|organi[sz]e|share|finish|complete|deliver|draft|file|post|publish|push',
  'merge|deploy|test|investigate|contact|order|buy|pay|submit|sign|upload|add|remove|delete|change|rename',
  'handle|own|document|research|confirm|verify|invite|notify|inform|provide|build|rebuild|implement|ship',
  'release|compile|collect|gather|circulate|forward|plan|propose|ping|message|report|revise',
  'translate|migrate|install|configure|transfer|assign|approve|analy[sz]e|measure|estimate|evaluate',
  'compare|sync|hire|postpone|cancel|announce|summari[sz]e|print|refactor|reply|respond|design',
  'set \\w+ up|set up|follow(?: |-)up|look (?:into|after|for)|find (?:out|someone|a|the)|figure out|sort (?:it|this|that|out)',
  'reach out|work on|put \\w+ together|put together|take (?:care|over|charge|this on|that on|it on)|make sure',
  'get (?:back to|in touch|it|this|that|you|the|someone|approval|access|quotes)|circle back|come back to you',
  '(?:give|grant) (?:\\w+ )?(?:access|permissions?|rights)',
  'talk (?:to|with)|speak (?:to|with)|write up|clean up|roll out|hand over|pick up (?!where|on)\\w+|bring \\w+ up to date',
  'let (?:you|them|him|her|everyone|everybody|people) know|run (?:it|this|that) by|move the|do (?:it|that|this) (?:by|before|today|tomorrow|tonight)',
])

/** Phrases that begin like a task but are not one: they are done during the meeting, or are figures of speech. */
const DONE_IN_MEETING = startingWith([
  '(?:share|present|show) (?:my|your|the|a) screen|add (?:that|one|to that|something|just|on)|ask (?:a|one|you|this|that|the question)',
  'get (?:it|this|that) (?:now|wrong|right)|get (?:you\\b(?! (?:the|a|an))|to|there|it$)|let you know what|check (?:my|the) (?:notes|chat|time)',
  'call (?:it|on)|change (?:the )?(?:subject|topic)|present (?:now|this|today)|own (?:it|up)|repeat|own that|test (?:my|the) (?:mic|audio|sound)',
])

/** Verbs that do not name a task, even with a deadline. */
const NO_TASK = startingWith([
  'be|have|see|know|say|need|want|think|admit|go|come|leave|like|love|miss|feel|wait|bet|assume|stop|tell',
  'decide|not|never|still|always|only|hear|believe|remember|imagine|continue|start|begin|move on|talk|discuss|take a',
  'meet you|look at|lose|win|grow|run out|become|get (?:to|there)|hold|pause|pass|try|end|close|break|stay|keep',
  'repeat|mute|unmute|explain|elaborate|clarify|turn|scroll|zoom|speak|show|give me|give us|remind me|remind us|excuse',
])

const WEEKDAYS = 'monday|tuesday|wednesday|thursday|friday|saturday|sunday'
const DEADLINE = new RegExp(
  `\\b(?:by|until|before|on|till) (?:the )?(?:end of|close of|eod|eow|cob|${WEEKDAYS}|tomorrow|tonight|noon|midnight|next|\\d)|\\b(?:tomorrow|tonight|asap|this (?:week|afternoon|evening)|later today|next (?:week|month|quarter|${WEEKDAYS})|(?:right )?after (?:this|the) (?:meeting|call))\\b`,
  'i',
)

/** Verbs that, after "let's", mean the next minutes of the meeting, unless a deadline is named. */
const DONE_TOGETHER_NOW = startingWith([
  'check|review|present|compare|add|change|share|look|find|figure|talk|speak|call|move|take|get|pick|do|work|sync|record|sign|measure|summari[sz]e|sort|handle',
])

/** Verbs such as "check", after which "if" belongs to the task and is not a condition. */
const INQUIRY_VERBS = startingWith([
  'check|double-check|see|ask|verify|find|look|test|confirm|let|figure|investigate',
])

// Helpers for rules that match English text. All patterns run in linear time: each starts at a word, and no unbounded
// repetition is nested in, or follows, another one that matches the same characters.

/** The first 40 sentences, with straight apostrophes. The limit bounds the cost of one segment. */
export function splitEnglishSentences(text: string): string[] {
  return splitSentences(text.replaceAll('’', "'").replace(/\s+/gu, ' ')).slice(0, 40)
}

const NEGATION_OR_DOUBT =
  /\b(?:not|never|nobody|hardly|cannot|[a-z]{2,7}n't|thought|maybe|perhaps|might|wish|hope|hoping|doubt|pretend|said|says|told|asked|wondering|unsure)\b/i
const CONDITION =
  /\b(?:if|unless|whether|suppose|supposing|assuming|provided|in case|in the event)\b/i
/** Matches a word at the end of a text that turns the words after the text into a subordinate clause or a question. */
const SUBORDINATING_WORD =
  /\b(?:did|do|does|have|has|had|should|could|would|can|may|what|why|how|where|which|who|whom|that|when|whenever|as|since|because|before|after|once|until|till|than|thing|things|one|ones)$/i

/** Only this much text before a match is checked, to limit the cost of many matches. */
const LOOK_BACK_CHARS = 200

/** True if the text before a match makes the match negated, doubtful, reported, conditional or subordinate. */
export function hasNegationOrConditionBeforeMatch(textBefore: string): boolean {
  const text = textBefore.slice(-LOOK_BACK_CHARS).trimEnd()
  return (
    CONDITION.test(text) ||
    NEGATION_OR_DOUBT.test(lastClause(text)) ||
    SUBORDINATING_WORD.test(text.slice(-12))
  )
}

export function hasConditionWord(text: string): boolean {
  return CONDITION.test(text)
}

function lastClause(text: string): string {
  const from = Math.max(...[',', ';', ':', ' but ', ' so '].map((mark) => text.lastIndexOf(mark)))
  return text.slice(Math.max(0, from))
}

/** The whole sentence, or only its part from the match on if the match comes late in the sentence. */
export function excerptSentenceFromMatch(sentence: string, matchIndex: number): string {
  return matchIndex <= 60 ? sentence : sentence.slice(matchIndex)
}

/** A key that is equal for equal words, regardless of case and punctuation. */
export function toStatementKey(speaker: string, words: string): string {
  const plain = shortenToOneLine(words, 400)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return sha256Base64(`${speaker}\n${plain}`).slice(0, 16)
}

/** True if the words after "I'll" or "can you" name something to do after the meeting. */
export function isTaskPhrase(words: string): boolean {
  if (DONE_IN_MEETING.test(words)) return false
  return TASK.test(words) || (DEADLINE.test(words) && !NO_TASK.test(words))
}

/** True if the words name something that is done during the meeting, such as sharing the screen. */
export function isDoneInMeeting(words: string): boolean {
  return DONE_IN_MEETING.test(words)
}

/** The words of a sentence that name a deadline, or null. */
export function findDeadlineWords(sentence: string): string | null {
  return DEADLINE.exec(sentence)?.[0] ?? null
}

/** True if the words in a sentence with "please" name a task. More verbs are accepted than in `isTaskPhrase`. */
export function isRequestedTaskPhrase(words: string): boolean {
  return isTaskPhrase(words) || !(DONE_IN_MEETING.test(words) || NO_TASK.test(words))
}

export function isJointTaskPhrase(words: string): boolean {
  return isTaskPhrase(words) && (!DONE_TOGETHER_NOW.test(words) || DEADLINE.test(words))
}

export function startsWithInquiryVerb(words: string): boolean {
  return INQUIRY_VERBS.test(words)
}

/** The possible base forms of a leading verb that ends in -ing, as in "be sending" or "mind checking". */
export function listBaseFormsOfIngPhrase(words: string): string[] {
  const [, stem, rest] = /^([a-z-]{2,20})ing\b(.*)$/is.exec(words) ?? []
  if (stem === undefined || rest === undefined) return []
  return [stem, `${stem}e`, stem.slice(0, -1)].map((verb) => verb + rest)
}

function startingWith(alternatives: readonly string[]): RegExp {
  return new RegExp(`^(?:${alternatives.join('|')})\\b`, 'i')
}
