import { useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  ApiAnswer,
  ApiAnswerCitation,
  ApiAnswerPassage,
  ApiAnswerSentence,
  ApiAskBody,
  ApiAskPassagesEvent,
  ApiAskSentenceEvent,
} from '../../src/http/shapes/ask.ts'
import { ApiError } from '../api/api-error.ts'
import { useApi } from '../api/use-api.tsx'

/** The part of an answer that has arrived. */
export type AnswerProgress = {
  /** Null until the passages are found. */
  passages: ApiAnswerPassage[] | null
  sentences: ApiAnswerSentence[]
  citations: ApiAnswerCitation[]
  /** The whole answer. Null while it is being written. */
  whole: ApiAnswer | null
}

const NOTHING: AnswerProgress = { passages: null, sentences: [], citations: [], whole: null }

/**
 * Asks a question and returns the answer as it arrives. An answer that was already read is shown again without asking,
 * so that coming back from a cited line costs nothing. Leaving the page cancels the question.
 */
export function useAnswer(question: ApiAskBody) {
  const api = useApi()
  const queries = useQueryClient()
  const queryKey = answerKey(question)
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      let progress = NOTHING
      for await (const { event, data } of api.ask.stream(question, { signal })) {
        const step = toStep(event, data)
        if (step !== null) progress = mergeStep(progress, step)
        queries.setQueryData(queryKey, progress)
      }
      if (progress.whole === null && !signal.aborted) throw new ApiError(...ENDED_EARLY)
      return progress
    },
    staleTime: Infinity,
    // A question costs money, so a failed one is only repeated on demand.
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
}

/** Makes the next use of `useAnswer` ask the question again. A page that shows the answer asks at once. */
export function useForgetAnswer(): (question: ApiAskBody) => void {
  const queries = useQueryClient()
  return (question) => void queries.resetQueries({ queryKey: answerKey(question), exact: true })
}

const answerKey = (question: ApiAskBody) => ['ask', question]

const ENDED_EARLY: ConstructorParameters<typeof ApiError> = [
  'The connection was lost before the answer was complete.',
  { status: 0, code: 'answer_incomplete', hint: 'Ask again.' },
]

type AnswerStep = { passages: ApiAnswerPassage[] } | ApiAskSentenceEvent | { whole: ApiAnswer }

function toStep(event: string, data: unknown): AnswerStep | null {
  switch (event) {
    case 'passages':
      return { passages: (data as ApiAskPassagesEvent).passages }
    case 'sentence':
      return data as ApiAskSentenceEvent
    case 'done':
      return { whole: data as ApiAnswer }
    case 'error': {
      const { error, code, requestId, hint } = data as Record<string, string | undefined>
      throw new ApiError(error ?? '', { status: 500, code: code ?? '', requestId, hint })
    }
    default:
      return null
  }
}

function mergeStep(progress: AnswerProgress, step: AnswerStep): AnswerProgress {
  if ('whole' in step) {
    const { passages, sentences, citations } = step.whole
    return { passages, sentences, citations, whole: step.whole }
  }
  if ('passages' in step) return { ...progress, passages: step.passages }
  const known = new Set(progress.citations.map(({ number }) => number))
  return {
    ...progress,
    sentences: [...progress.sentences, step],
    citations: [
      ...progress.citations,
      ...step.citations.filter(({ number }) => !known.has(number)),
    ],
  }
}
