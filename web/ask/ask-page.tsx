import { Group, Stack, TextInput } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import './ask.css'
import { ProjectInput } from '../projects/project-filter-field.tsx'
import { EmptyState } from '../ui/feedback/feedback.tsx'
import { PageTitle } from '../ui/layout.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { AnswerView } from './answer-view.tsx'
import { QuestionField } from './ask-box.tsx'
import { type AskFilter, askFilterToQuestion, parseAskFilter } from './ask-filter.ts'
import { useForgetAnswer } from './use-answer.ts'

const route = getRouteApi('/signed-in/ask')

/** Asks about all meetings and documents. The question is in the URL, so that it can be shared as a link. */
export function AskPage() {
  const filter = route.useSearch()
  const question = askFilterToQuestion(filter)
  return (
    <Stack gap="lg" maw={900}>
      <PageTitle>Ask</PageTitle>
      <QuestionForm filter={filter} />
      {question === null ? <Examples /> : <AnswerView question={question} />}
    </Stack>
  )
}

function QuestionForm({ filter }: { filter: AskFilter }) {
  const navigate = route.useNavigate()
  const [draft, setDraft] = useState(filter)
  const [asked, setAsked] = useState(filter)
  // A question from elsewhere, such as the command palette or the back button, replaces the typed text.
  if (!isSameFilter(filter, asked)) {
    setAsked(filter)
    setDraft(filter)
  }
  const forgetAnswer = useForgetAnswer()
  const ask = () => {
    const search = parseAskFilter({ ...draft, q: draft.q?.trim() })
    const question = askFilterToQuestion(search)
    if (question === null) return
    forgetAnswer(question)
    void navigate({ search })
  }
  const set = (change: AskFilter) => setDraft({ ...draft, ...change })
  return (
    <Stack gap="sm">
      <QuestionField
        label="Ask about your meetings and documents"
        hasAutofocus={filter.q === undefined}
        value={draft.q ?? ''}
        onChange={(q) => set({ q })}
        onAsk={ask}
      />
      <details open={isLimited(filter) || undefined}>
        <summary className="question-limits">Limit to a project or dates</summary>
        <Group align="flex-end" gap="sm" mt="xs">
          <ProjectInput value={draft.project ?? ''} onChange={(project) => set({ project })} />
          <TextInput
            type="date"
            label="From"
            value={draft.from ?? ''}
            onChange={(event) => set({ from: event.currentTarget.value })}
          />
          <TextInput
            type="date"
            label="To"
            value={draft.to ?? ''}
            onChange={(event) => set({ to: event.currentTarget.value })}
          />
        </Group>
      </details>
    </Stack>
  )
}

function isLimited({ project, from, to }: AskFilter): boolean {
  return project !== undefined || from !== undefined || to !== undefined
}

function isSameFilter(a: AskFilter, b: AskFilter): boolean {
  return a.q === b.q && a.project === b.project && a.from === b.from && a.to === b.to
}

/** Recaps answer these questions even without a language model, and whatever the meetings were about. */
const EXAMPLES = [
  'What was decided last week?',
  'What do I have to do by Friday?',
  'Which questions are still open?',
]

function Examples() {
  return (
    <EmptyState
      drawing="talk"
      title="What do you want to know?"
      action={
        <ul className="plain-list question-examples" aria-label="Examples">
          {EXAMPLES.map((q) => (
            <li key={q}>
              <ButtonLink to="/ask" search={{ q }} variant="default" size="xs">
                {q}
              </ButtonLink>
            </li>
          ))}
        </ul>
      }
    >
      Hansard looks for the answer in your transcripts, recaps and documents, and shows the lines it
      comes from.
    </EmptyState>
  )
}
