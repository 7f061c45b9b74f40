import { Link } from '@tanstack/react-router'
import { Button, Title, Stack, Loader, Text } from '@mantine/core'
import { useId, type ReactNode, use, createContext } from 'react'
import './ask.css'
import '../search/search.css'
import type {
  ApiAnswer,
  ApiAnswerCitation,
  ApiAskBody,
  ApiAnswerPassage,
} from '../../src/http/shapes/ask.ts'
import type { AnswerLimit } from '../../src/http/shapes/values.ts'
import { type AnswerProgress, useAnswer } from './use-answer.ts'
import { toPlainDocumentText } from '../search/plain-document-text.ts'
import { ErrorBox } from '../ui/feedback/feedback.tsx'
import { formatCountWithNoun } from '../ui/format/format-text.ts'
import { Name, projectPage } from '../ui/links.tsx'
import { Time, TimeOfDay } from '../ui/format/time.tsx'
import { LineLink } from '../meetings/cited-lines.tsx'
import { Hint } from '../ui/text.tsx'

/** The answer to a question, sentence by sentence as it arrives, with links to the cited lines. */
export function AnswerView({ question }: { question: ApiAskBody }) {
  const titleId = useId()
  const { data, error, isFetching, refetch } = useAnswer(question)
  const askAgain = (
    <Button variant="default" size="xs" onClick={() => void refetch()}>
      Ask again
    </Button>
  )
  return (
    <section aria-labelledby={titleId} aria-busy={isFetching} className="answer">
      <Title order={2} size="h4" id={titleId} className="break-anywhere">
        <bdi>{question.question}</bdi>
      </Title>
      {data && <AnswerText progress={data} isList={data.whole?.method === 'recap'} />}
      <AnswerStatus progress={data} isFetching={isFetching} />
      {error && !isFetching && (
        <Stack gap="xs" align="flex-start">
          <ErrorBox error={error} />
          {askAgain}
        </Stack>
      )}
      {data?.whole && <WholeAnswerNotes answer={data.whole} />}
      {data && data.sentences.length > 0 && <SourceList sources={numberSources(data)} />}
      {data?.whole && data.sentences.length === 0 && <PassageList passages={data.whole.passages} />}
      {data?.whole?.error && askAgain}
    </section>
  )
}

/** The cited lines in the order of their first citation. Their position is the number that is shown. */
function numberSources({ sentences, citations }: AnswerProgress): ApiAnswerCitation[] {
  const numbers = [...new Set(sentences.flatMap(({ citationNumbers }) => citationNumbers))]
  return numbers.flatMap((number) => citations.find((citation) => citation.number === number) ?? [])
}

interface AnswerTextProps {
  progress: AnswerProgress
  /** True if each sentence is a statement of its own. */
  isList: boolean
}

function AnswerText({ progress, isList }: AnswerTextProps) {
  const sources = numberSources(progress)
  if (progress.sentences.length === 0) return null
  const sentences = progress.sentences.map(({ text, citationNumbers }, i) => {
    const Sentence = isList ? 'li' : 'span'
    return (
      // Sentences are only added at the end, so their position identifies them.
      // oxlint-disable-next-line react/no-array-index-key
      <Sentence key={i}>
        {text}
        {NO_BREAK_SPACE}
        {citationNumbers.map((number) => {
          const at = sources.findIndex((source) => source.number === number)
          const source = sources[at]
          return source && <CitationChip key={number} label={at + 1} source={source} />
        })}{' '}
      </Sentence>
    )
  })
  return isList ? (
    <ul className="answer-text answer-statements" dir="auto">
      {sentences}
    </ul>
  ) : (
    <p className="answer-text" dir="auto">
      {sentences}
    </p>
  )
}

const NO_BREAK_SPACE = '\u00a0'

function CitationChip({ label, source }: { label: number; source: ApiAnswerCitation }) {
  return (
    <SourceLink
      source={source}
      className="citation-chip figures"
      ariaLabel={`${label}: ${describeSource(source)}`}
    >
      {label}
    </SourceLink>
  )
}

interface AnswerStatusProps {
  progress: AnswerProgress | undefined
  isFetching: boolean
}

/** Rendered even if empty, so that screen readers announce changes. */
function AnswerStatus({ progress, isFetching }: AnswerStatusProps) {
  return (
    <div role="status" className="answer-status">
      {isFetching ? (
        <>
          <Loader size="xs" aria-hidden />
          <Text size="sm">{progress?.passages ? 'Reading the passages…' : 'Searching…'}</Text>
        </>
      ) : (
        progress?.whole && <Hint>{describeOrigin(progress.whole)}</Hint>
      )}
    </div>
  )
}

function describeOrigin(answer: ApiAnswer): string {
  const { method, model, sentences, citations, passages } = answer
  if (method === 'model' && sentences.length > 0) {
    const sources = formatCountWithNoun(citations.length, 'line')
    return `Written by ${model ?? 'a language model'} from ${sources}. Check the cited lines.`
  }
  if (method === 'recap') {
    const meetings = new Set(citations.map(({ meetingId }) => meetingId)).size
    const from = meetings === 1 ? 'the recap' : 'the recaps'
    return `From ${from} of ${formatCountWithNoun(meetings, 'meeting')}. Check the cited lines.`
  }
  if (answer.answer !== null) return 'Not found in your meetings.'
  if (passages.length === 0) return 'Nothing contains the words of your question.'
  return `${formatCountWithNoun(passages.length, 'passage')} found`
}

/** Notes about how the answer was made. */
function WholeAnswerNotes({ answer }: { answer: ApiAnswer }) {
  const { method, reason, error, droppedSentences, sentences, passages } = answer
  const hasSentences = sentences.length > 0
  const isIncomplete = method === 'model' && reason !== 'model_truncated'
  return (
    <>
      {reason !== null && (
        <div className="notice" role="note">
          <Text className="break-anywhere">
            {ANSWER_LIMIT_TEXTS[reason]}{' '}
            {hasSentences && isIncomplete && 'The answer is incomplete.'}
            {!hasSentences && passages.length > 0 && BEST_PASSAGES_TEXT}
          </Text>
          {error !== null && (
            <Text size="sm" className="break-anywhere">
              {error}
            </Text>
          )}
        </div>
      )}
      {reason === null && !hasSentences && passages.length > 0 && (
        <Text>
          The answer is not in the passages that Hansard found. These match your question best:
        </Text>
      )}
      {droppedSentences > 0 && (
        <Hint>
          {formatCountWithNoun(droppedSentences, 'sentence')} left out, because no line supports it.
        </Hint>
      )}
    </>
  )
}

/** Why there is no complete answer of a language model. */
const ANSWER_LIMIT_TEXTS: Record<AnswerLimit, string> = {
  no_passages: 'No meeting or document contains the words of this question.',
  no_model: 'No language model is set up to answer questions.',
  budget: 'The budget for language models is used up.',
  model_failed: 'The language model failed.',
  model_timeout: 'The language model did not answer in time.',
  model_truncated: 'The language model did not finish its answer.',
  no_citations: 'The language model cited no lines for its answer, so the answer is not shown.',
  too_many_statements:
    'There are more statements than these. Limit the question to a project or dates.',
}

const BEST_PASSAGES_TEXT =
  'These passages match your question best. They may not contain the answer.'

/** The lines that an answer cites, with the numbers of its chips. */
function SourceList({ sources }: { sources: ApiAnswerCitation[] }) {
  return (
    <section aria-label="Sources">
      <Title order={3} size="h5" mb={6}>
        Sources
      </Title>
      <ol className="plain-list source-list">
        {sources.map((source, i) => (
          <li key={source.number} className="source">
            <span className="source-number figures">{i + 1}</span>
            <SourceLink source={source} className="hit">
              <SourceHeader source={source} />
              <SourceText source={source} />
            </SourceLink>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Passages with the lines around them, for a question that no model has answered. */
function PassageList({ passages }: { passages: ApiAnswerPassage[] }) {
  if (passages.length === 0) return null
  return (
    <section aria-label="Passages">
      <ol className="plain-list source-list">
        {passages.map((passage) => (
          <li key={passage.number}>
            <SourceLink source={passage} className="hit">
              <SourceHeader source={passage} />
              <ContextLines lines={passage.before} />
              <SourceText source={passage} isMatch />
              <ContextLines lines={passage.after} />
            </SourceLink>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The cited words, or a short piece of a document without Markdown syntax. */
function SourceText({ source, isMatch = false }: { source: ApiAnswerCitation; isMatch?: boolean }) {
  if (source.kind !== 'segment')
    return (
      <span className="source-text document-passage" dir="auto">
        {toPlainDocumentText(source.text).text}
      </span>
    )
  return (
    <span className={isMatch ? 'source-text source-match' : 'source-text'} dir="auto">
      {source.text}
    </span>
  )
}

function SourceHeader({ source }: { source: ApiAnswerCitation }) {
  const { speaker, title, project, timestamp, meetingId } = source
  const isOfPage = meetingId !== null && meetingId === use(MeetingOfPageContext)
  return (
    <span className="hit-where source-header">
      {speaker !== null && (
        <>
          <bdi className="source-speaker">{speaker === '' ? 'Unknown speaker' : speaker}</bdi>{' '}
          ·{' '}
        </>
      )}
      {isOfPage ? (
        <TimeOfDay at={timestamp} />
      ) : (
        <>
          <Name>{title}</Name> · project {project} · <Time at={timestamp} show="minute" />
        </>
      )}
    </span>
  )
}

/** Lines around a passage, for context. */
function ContextLines({ lines }: { lines: ApiAnswerCitation[] }) {
  return lines.map(({ number, kind, speaker, text }) => (
    <Text
      key={number}
      span
      c="dimmed"
      className={kind === 'segment' ? 'source-text' : 'source-text document-passage'}
      dir="auto"
    >
      {speaker !== null && speaker !== '' && <bdi>{speaker}: </bdi>}
      {kind === 'segment' ? text : toPlainDocumentText(text).text}
    </Text>
  ))
}

/** The meeting whose page shows the answer. Links to its lines stay on the page. Null on other pages. */
export const MeetingOfPageContext = createContext<string | null>(null)

interface SourceLinkProps {
  source: ApiAnswerCitation
  className: string
  ariaLabel?: string
  children: ReactNode
}

/** A link to the transcript or document line that an answer comes from. */
function SourceLink({ source, className, ariaLabel, children }: SourceLinkProps) {
  const { kind, meetingId, segmentNumber, project, path, line } = source
  const meetingOfPage = use(MeetingOfPageContext)
  if (kind === 'segment' && meetingId !== null) {
    return (
      <LineLink
        meetingId={meetingId === meetingOfPage ? undefined : meetingId}
        number={segmentNumber ?? 1}
        className={className}
        {...(ariaLabel !== undefined && { ariaLabel })}
      >
        {children}
      </LineLink>
    )
  }
  return (
    <Link
      {...projectPage(project, path ?? '')}
      hash={`L${line ?? 1}`}
      className={className}
      aria-label={ariaLabel}
    >
      {children}
    </Link>
  )
}

/** Who said it and where: "Ana Ribeiro, Weekly sync". */
function describeSource({ speaker, title }: ApiAnswerCitation): string {
  return speaker === null || speaker === '' ? title : `${speaker}, ${title}`
}
