import { Button, Stack, TextInput } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import './ask.css'
import type { ApiAskBody } from '../../src/http/shapes/ask.ts'
import { AnswerView } from './answer-view.tsx'
import { MAX_QUESTION_LENGTH } from './ask-filter.ts'
import { useForgetAnswer } from './use-answer.ts'

interface AskBoxProps {
  label: string
  /** Limits the question to a meeting or project. */
  scope: Pick<ApiAskBody, 'project' | 'meetingId'>
}

/** Asks about one meeting or project, and shows the answer below the field. */
export function AskBox({ label, scope }: AskBoxProps) {
  const [text, setText] = useState('')
  const [asked, setAsked] = useState<string | null>(null)
  const forgetAnswer = useForgetAnswer()
  const ask = () => {
    const question = text.trim()
    if (question === '') return
    forgetAnswer({ question, ...scope })
    setAsked(question)
  }
  return (
    <Stack gap="sm">
      <QuestionField label={label} isCompact value={text} onChange={setText} onAsk={ask} />
      {asked !== null && (
        <>
          <AnswerView question={{ question: asked, ...scope }} />
          <Button
            variant="default"
            size="xs"
            className="answer-close"
            onClick={() => {
              setAsked(null)
              setText('')
            }}
          >
            Clear the answer
          </Button>
        </>
      )}
    </Stack>
  )
}

interface QuestionFieldProps {
  label: string
  value: string
  onChange: (text: string) => void
  onAsk: () => void
  /** True if the label is inside the field. */
  isCompact?: boolean
  hasAutofocus?: boolean
}

export function QuestionField(props: QuestionFieldProps) {
  const { label, value, onChange, onAsk, isCompact = false, hasAutofocus = false } = props
  const size = isCompact ? 'sm' : 'md'
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    onAsk()
  }
  return (
    <form className="question-form" onSubmit={submit}>
      <TextInput
        {...(isCompact ? { 'aria-label': label, placeholder: label } : { label })}
        size={size}
        flex={1}
        maxLength={MAX_QUESTION_LENGTH}
        autoComplete="off"
        autoFocus={hasAutofocus}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Button type="submit" size={size} disabled={value.trim() === ''}>
        Ask
      </Button>
    </form>
  )
}
