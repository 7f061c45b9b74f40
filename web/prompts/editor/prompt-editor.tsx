import { useDebouncedValue } from '@mantine/hooks'
import { Stack, Text, Textarea, Group, Button, NativeSelect } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import '../prompts.css'
import type { ApiPromptNote, ApiPromptPreview } from '../../../src/http/shapes/prompts.ts'
import type { ConflictingVersion } from '../../api/conflicts.ts'
import { useMeetingList } from '../../meetings/queries.ts'
import type { usePromptEditor } from './use-prompt-editor.ts'
import { usePromptPreview } from '../queries.ts'
import { ModelNeeded } from '../../tasks/model-needed.tsx'
import { TextDifference } from '../../ui/difference/text-difference.tsx'
import { ErrorBox } from '../../ui/feedback/feedback.tsx'
import { useAction } from '../../ui/forms.tsx'
import { formatAbsolute } from '../../ui/format/time-texts.ts'
import { Hint } from '../../ui/text.tsx'

/** What happens after saving: the user stays, runs the prompt once, or uses it in a task. */
export type AfterSave = 'stay' | 'try' | 'use'

interface PromptEditorProps {
  editing: ReturnType<typeof usePromptEditor>
  nameField?: ReactNode
  /** Saves the text. False if there is a conflict. */
  onSave: () => Promise<boolean>
  onSaved: (next: AfterSave) => Promise<void>
  /** Why the text can't be changed. Null if it can. */
  readOnlyReason?: string | null
  children?: ReactNode
}

const CHECK_DELAY_MS = 400

/** The text of a prompt, its problems, and a preview with a real meeting. */
export function PromptEditor(props: PromptEditorProps) {
  const { editing, nameField, onSave, onSaved, readOnlyReason = null, children } = props
  const { text, conflict, isChanged } = editing
  const area = useRef<HTMLTextAreaElement>(null)
  const newest = useNewestMeetingId()
  const [chosen, setChosen] = useState<string | null>(null)
  const meetingId = chosen ?? newest
  const [checkedText] = useDebouncedValue(text, CHECK_DELAY_MS)
  const { data: preview, error } = usePromptPreview(checkedText, meetingId)
  const isReadOnly = readOnlyReason !== null
  const finish = useAction(async (next: AfterSave) => {
    const isSaved = isReadOnly || !isChanged || (await onSave())
    if (isSaved) await onSaved(next)
  })
  return (
    <Stack gap="md">
      {readOnlyReason !== null && (
        <div className="notice" role="note">
          <Text size="sm">{readOnlyReason}</Text>
          {editing.hasKeptDraft && (
            <Text size="sm">Your unsaved changes are kept: Duplicate copies them.</Text>
          )}
        </div>
      )}
      {editing.isRestoredDraft && conflict === null && (
        <Text size="sm" role="note">
          Restored your unsaved changes.
        </Text>
      )}
      {conflict && <ConflictNotice conflict={conflict} ownText={text} />}
      {preview?.modelProblem && <ModelNeeded />}
      <div className="prompt-columns">
        <Stack gap="md" miw={0}>
          {nameField}
          <Textarea
            ref={area}
            label="Text"
            description="Settings between two lines of ---, then the text. Variables stand in double braces"
            value={text}
            readOnly={isReadOnly}
            spellCheck={false}
            classNames={{ input: 'prompt-text' }}
            onChange={(event) => editing.change(event.currentTarget.value)}
          />
          <ProblemList
            notes={preview?.notes}
            onGoToLine={(line) => area.current && selectLine(area.current, line)}
          />
        </Stack>
        <Stack gap="md" miw={0}>
          <ErrorBox error={error} />
          <RenderedPreview preview={preview} meetingId={meetingId} onMeeting={setChosen} />
        </Stack>
      </div>
      <ErrorBox error={finish.error} />
      <Group gap="xs">
        {!isReadOnly && (
          <Button loading={finish.isRunning} onClick={() => void finish.run('stay')}>
            {saveLabel(conflict)}
          </Button>
        )}
        <Button variant="default" onClick={() => void finish.run('use')}>
          {isChanged && !isReadOnly ? 'Save and use in a task' : 'Use in a task'}
        </Button>
        {preview?.modelProblem === null && (
          <Button variant="default" onClick={() => void finish.run('try')}>
            {isChanged && !isReadOnly ? 'Save and try it' : 'Try it'}
          </Button>
        )}
        {children}
      </Group>
    </Stack>
  )
}

function saveLabel(conflict: ConflictingVersion | null): string {
  if (conflict === null) return 'Save'
  return conflict.etag === null ? 'Save as new prompt' : 'Overwrite with my version'
}

/** Shows how another user's saved version differs from the text in the editor. */
function ConflictNotice({ conflict, ownText }: { conflict: ConflictingVersion; ownText: string }) {
  return (
    <Stack gap="xs" className="notice">
      <div role="alert">
        <Text fw={650}>
          {conflict.text === null
            ? 'Someone else deleted this prompt while you were editing it.'
            : 'Someone else changed this prompt while you were editing it.'}
        </Text>
        <Text size="sm">Your text is still in the editor below.</Text>
      </div>
      {conflict.text !== null && (
        <TextDifference
          before={conflict.text}
          after={ownText}
          beforeLabel="Saved by someone else"
          afterLabel="Your text"
        />
      )}
    </Stack>
  )
}

/** Selects a line in a text area and scrolls to it. */
function selectLine(area: HTMLTextAreaElement, line: number): void {
  const lines = area.value.split('\n')
  const index = Math.min(Math.max(line, 1), lines.length) - 1
  const start = lines.slice(0, index).reduce((sum, text) => sum + text.length + 1, 0)
  // A browser scrolls to the cursor when the text area gets the focus.
  area.blur()
  area.setSelectionRange(start, start)
  area.focus()
  area.setSelectionRange(start, start + (lines[index]?.length ?? 0))
}

interface ProblemListProps {
  /** Undefined until the text was checked. */
  notes: readonly ApiPromptNote[] | undefined
  onGoToLine: (line: number) => void
}

/** The problems of the text. Each entry selects its line. */
function ProblemList({ notes, onGoToLine }: ProblemListProps) {
  return (
    <section aria-labelledby="prompt-problems">
      <Text component="h2" size="sm" fw={650} id="prompt-problems" m={0}>
        Problems
      </Text>
      <Text size="sm" role="status" c="dimmed">
        {summarize(notes)}
      </Text>
      <ul className="plain-list">
        {notes?.map(({ severity, line, message }) => (
          <li key={`${line} ${message}`}>
            <button type="button" className="prompt-problem" onClick={() => onGoToLine(line ?? 1)}>
              <span className="prompt-problem-line">{line === null ? 'File' : `Line ${line}`}</span>
              <span className="break-anywhere">
                {severity === 'warning' && 'Tip: '}
                {message}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function summarize(notes: readonly ApiPromptNote[] | undefined): string {
  if (notes === undefined) return 'Checking…'
  const errors = notes.filter(({ severity }) => severity === 'error').length
  if (errors > 0) return errors === 1 ? '1 problem to fix' : `${errors} problems to fix`
  return notes.length === 0 ? 'No problems' : 'No problems, but a tip'
}

/** The newest meeting that has begun. Empty if there is none or it is not loaded yet. */
function useNewestMeetingId(): string {
  const { data } = useMeetingList({ begun: 'true' })
  return data?.pages[0]?.meetings[0]?.meetingId ?? ''
}

interface RenderedPreviewProps {
  preview: ApiPromptPreview | undefined
  /** Empty for no meeting. */
  meetingId: string
  onMeeting: (meetingId: string) => void
}

/** The prompt as a model would get it, with a meeting's variables. Nothing is sent to a model. */
function RenderedPreview({ preview, meetingId, onMeeting }: RenderedPreviewProps) {
  const { data } = useMeetingList({ begun: 'true' })
  const meetings = data?.pages[0]?.meetings ?? []
  return (
    <Stack gap="sm" component="section" aria-labelledby="prompt-preview">
      <Text component="h2" size="sm" fw={650} id="prompt-preview" m={0}>
        Preview
      </Text>
      <NativeSelect
        label="Meeting"
        description="Fills in the variables. Nothing is sent to a language model"
        value={meetingId}
        onChange={(event) => onMeeting(event.currentTarget.value)}
        data={[
          { value: '', label: 'No meeting' },
          ...meetings.map(({ meetingId: value, title, startedAt }) => ({
            value,
            label: `${title}, ${formatAbsolute(startedAt, 'day')}`,
          })),
        ]}
      />
      <PreviewText preview={preview} />
    </Stack>
  )
}

function PreviewText({ preview }: { preview: ApiPromptPreview | undefined }) {
  if (preview === undefined) return <Text size="sm">Preparing the preview…</Text>
  const { rendered, failure } = preview
  if (failure !== null)
    return <Text size="sm">This meeting does not fit the prompt. {failure}</Text>
  if (rendered === null) return <Text size="sm">Fix the problems to see the preview.</Text>
  const isCut = rendered.text.length < rendered.length
  return (
    <>
      <Hint>
        {rendered.length.toLocaleString('en')} characters, about{' '}
        {rendered.tokens.toLocaleString('en')} tokens{isCut && '. Only the beginning is shown'}
      </Hint>
      <pre className="source-box prompt-rendered" tabIndex={0} aria-label="Preview" dir="auto">
        {rendered.text}
      </pre>
    </>
  )
}
