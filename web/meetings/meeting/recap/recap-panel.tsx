import { useQueryClient, useQuery } from '@tanstack/react-query'
import { useRef, useEffectEvent, useEffect, type ReactNode, useState } from 'react'
import { Stack, Text, Group, Loader, Title, Button } from '@mantine/core'
import './recap.css'
import type { ApiMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import type { ApiRecap } from '../../../../src/http/shapes/meetings/recap.ts'
import type { RecapDocumentState, RecapMethod } from '../../../../src/http/shapes/values.ts'
import { useMarks, useMarkStepDone } from '../../../account/use-marks.ts'
import { RecapSections } from './recap-sections.tsx'
import type { TranscriptStore } from '../transcript/transcript-store.ts'
import { useLinesByNumber } from '../transcript/use-transcript.ts'
import { ErrorBox, QueryView } from '../../../ui/feedback/feedback.tsx'
import { Time, formatHourAndMinute } from '../../../ui/format/time.tsx'
import { useAction, ActionButton } from '../../../ui/forms.tsx'
import { CopyButton } from '../../../ui/copy.tsx'
import { formatAbsolute } from '../../../ui/format/time-texts.ts'
import { saveTextFile, toFileName } from '../../../ui/save-file.ts'
import type { CitedLine } from '../../cited-lines.tsx'
import { formatRecap } from './recap-text.ts'
import { ApiError } from '../../../api/api-error.ts'
import { useApi } from '../../../api/use-api.tsx'
import { useMeetingEvents, useContentChanges } from '../../../api/event-stream-context.tsx'
import { useBatchedCallback } from '../../../api/use-batched-callback.ts'
import { type ApiClient, MAY_BE_MISSING } from '../../../api/client.ts'
import { RECAP_KEY } from '../../../actions/queries.ts'
import { Hint, Notice } from '../../../ui/text.tsx'

interface RecapPanelProps {
  meeting: ApiMeetingDetail
  transcript: TranscriptStore
  /** True if there was no recap when the page was opened, so the first one is new. */
  isExpected: boolean
  /** Called when the recap becomes ready while the page is open. */
  onReady: () => void
  /** True if the recap became ready while the page is open. */
  isNew: boolean
}

/** The recap of an ended meeting, or why there is none. */
function RecapPanel({ meeting, transcript, isExpected, onReady, isNew }: RecapPanelProps) {
  const { meetingId } = meeting
  const lines = useLinesByNumber(transcript)
  const query = useRecap(meetingId)
  useMarkRecapRead(query.data?.recap != null)
  useOnRecapReady(query.data, isExpected, onReady)
  return (
    <QueryView query={query} label="the recap">
      {(result) => (
        <Stack gap="lg">
          <RecapStatus
            meetingId={meetingId}
            description={
              result.recap === null ? (
                describeMissing(result.missing)
              ) : (
                <MethodAndTime recap={result.recap} />
              )
            }
            progress={progressText(result)}
            exportButtons={
              result.recap !== null && (
                <RecapExportButtons recap={result.recap} meeting={meeting} lines={lines} />
              )
            }
            isFirst={result.recap === null}
            isNew={isNew && result.recap !== null}
          />
          {result.recap !== null && (
            <>
              <RecapNotes recap={result.recap} />
              <RecapSections recap={result.recap} meeting={meeting} lines={lines} />
            </>
          )}
        </Stack>
      )}
    </QueryView>
  )
}

/** Reading a recap is a step of the list "Get started", no matter where it was opened. */
function useMarkRecapRead(isShown: boolean): void {
  const marks = useMarks()
  const markStepDone = useMarkStepDone()
  const wasTried = useRef(false)
  const isDue = isShown && marks.isLoaded && !marks.has('get_started', 'recap')
  const mark = useEffectEvent(() => markStepDone('recap'))
  useEffect(() => {
    // Only once, because after an error the console reads the marks again.
    if (!isDue || wasTried.current) return
    wasTried.current = true
    mark()
  }, [isDue])
}

/** A recap that exists when the page opens is not announced. */
function useOnRecapReady(
  result: RecapResult | undefined,
  isExpected: boolean,
  onReady: () => void,
): void {
  const wasMissing = useRef(isExpected)
  const notify = useEffectEvent(onReady)
  useEffect(() => {
    if (result === undefined) return
    const isReady = result.recap !== null && !isBeingMade(result)
    if (wasMissing.current && isReady) notify()
    wasMissing.current = !isReady
  }, [result])
}

function progressText(result: RecapResult): string {
  if (!isBeingMade(result)) return ''
  return result.recap === null
    ? 'The recap is being made. It appears here when it is ready.'
    : 'A newer recap is being made. It appears here when it is ready.'
}

function describeMissing({ reason, isBeingMade: isComing }: NonNullable<RecapResult['missing']>) {
  return isComing ? null : <Text className="break-anywhere">{reason}.</Text>
}

interface RecapStatusProps {
  meetingId: string
  description: ReactNode
  /** Says that a recap is being made. Empty if none is. */
  progress: string
  exportButtons: ReactNode
  /** True if the meeting has no recap yet. */
  isFirst: boolean
  isNew: boolean
}

function RecapStatus(props: RecapStatusProps) {
  const { meetingId, description, progress, exportButtons, isFirst, isNew } = props
  const make = useMakeRecap(meetingId)
  const action = useAction(make)
  return (
    <div>
      <div className="recap-status">
        <div className="recap-origin">{description}</div>
        <Group gap="xs" className="print-hidden">
          {exportButtons}
          {progress === '' && (
            <ActionButton variant="default" size="xs" action={action}>
              {isFirst ? 'Make the recap' : 'Make again'}
            </ActionButton>
          )}
        </Group>
      </div>
      <div role="status">
        {progress !== '' && (
          <Group gap="xs" wrap="nowrap" mt="xs">
            <Loader size="xs" aria-hidden />
            <Text size="sm">{progress}</Text>
          </Group>
        )}
        {progress === '' && isNew && (
          <Text size="sm" fw={600} className="recap-ready">
            The recap is ready.
          </Text>
        )}
      </div>
      <ErrorBox error={action.error} />
    </div>
  )
}

function MethodAndTime({ recap: { method, model, madeAt } }: { recap: ApiRecap }) {
  return (
    <Hint>
      {RECAP_METHOD_TEXTS[method](model)} · <Time at={madeAt} show="minute" />
    </Hint>
  )
}

/** What the reader should know about how the recap was made. */
function RecapNotes({ recap }: { recap: ApiRecap }) {
  const notes = listRecapNotes(recap)
  if (recap.error === null && notes.length === 0) return null
  return (
    <Stack gap="xs">
      {recap.error !== null && (
        <Notice>
          {recap.method === 'rules' && 'The language model could not make this recap: '}
          {recap.error}
        </Notice>
      )}
      {notes.map((note) => (
        <Hint key={note}>{note}</Hint>
      ))}
    </Stack>
  )
}

interface RecapSectionProps {
  meeting: ApiMeetingDetail
  transcript: TranscriptStore
  /** True if the meeting ended while the page was open. */
  endedMeanwhile: boolean
}

/** An ended meeting's recap, first on its page. Highlighted briefly if it becomes ready while the page is open. */
export function RecapSection({ meeting, transcript, endedMeanwhile }: RecapSectionProps) {
  const [isNew, setNew] = useState(false)
  return (
    <section className={isNew ? 'recap recap-new' : 'recap'} aria-labelledby="recap">
      <Title order={2} fz="1.125rem" id="recap">
        Recap
      </Title>
      <RecapPanel
        meeting={meeting}
        transcript={transcript}
        isExpected={endedMeanwhile}
        isNew={isNew}
        onReady={() => setNew(true)}
      />
    </section>
  )
}

/** Says what made the recap. */
const RECAP_METHOD_TEXTS: Record<RecapMethod, (model: string | null) => string> = {
  rules: () => 'Made by rules, without a language model',
  model: (model) => `Made by the language model ${model ?? ''}`.trim(),
}

/** Why the saved document does not have this recap. Null if it has the recap or does not need it. */
const RECAP_DOCUMENT_TEXTS: Record<RecapDocumentState, string | null> = {
  waiting: null,
  written: null,
  none: null,
  edited: 'The saved document was edited by hand, so the recap was not written into it.',
  failed: 'The recap could not be written into the saved document.',
}

/** What the reader should know about how this recap was made. */
function listRecapNotes(recap: ApiRecap): string[] {
  const { coverage, droppedStatements, documentState } = recap
  const { segmentsRead, segmentsTotal } = coverage
  const notes = [
    segmentsRead < segmentsTotal &&
      `The meeting is very long: ${format(segmentsRead)} of ${format(segmentsTotal)} lines were read.`,
    droppedStatements === 1 &&
      'One statement of the model was left out, because the lines it cites do not support it.',
    droppedStatements > 1 &&
      `${format(droppedStatements)} statements of the model were left out, because the lines they cite do not support them.`,
    RECAP_DOCUMENT_TEXTS[documentState],
  ]
  return notes.filter((note) => typeof note === 'string')
}

function format(count: number): string {
  return count.toLocaleString('en')
}

interface RecapExportButtonsProps {
  recap: ApiRecap
  meeting: ApiMeetingDetail
  lines: ReadonlyMap<number, CitedLine>
}

/** Copies the recap as formatted text and as Markdown, or saves it as a Markdown file. */
function RecapExportButtons({ recap, meeting, lines }: RecapExportButtonsProps) {
  const format = () =>
    formatRecap({
      title: meeting.title,
      date: formatAbsolute(meeting.startedAt, 'minute'),
      recap,
      lines,
      formatTime: formatHourAndMinute,
    })
  const save = () => {
    const name = `${toFileName(meeting.title, 'meeting')} - recap.md`
    saveTextFile(name, format().plain, 'text/markdown')
  }
  return (
    <>
      <CopyButton text={format} what="recap" showsLabel size="xs" />
      <Button variant="default" size="xs" onClick={save}>
        Export recap
      </Button>
    </>
  )
}

/** The recap, or why there is none. */
type RecapResult =
  | { recap: ApiRecap; missing: null }
  | { recap: null; missing: { reason: string; isBeingMade: boolean } }

const POLL_MS = 2_000
/** A model may need minutes, so the page polls less often after some time. */
const SLOW_POLL = { afterReads: 15, ms: 5_000 }

/** The recap of an ended meeting. While it is being made, it is polled until it is ready. */
function useRecap(meetingId: string) {
  const api = useApi()
  const queries = useQueryClient()
  const queryKey = [RECAP_KEY, meetingId]
  const refresh = useBatchedCallback(() => void queries.invalidateQueries({ queryKey }))
  useMeetingEvents((event) => {
    if (event.type === 'recap_ready' && event.meetingId === meetingId) refresh()
  })
  useContentChanges('recap_items_changed', (changedId) => {
    if (changedId === meetingId) refresh()
  })
  return useQuery({
    queryKey,
    queryFn: async () => {
      const result = await fetchRecap(api, meetingId)
      return keepDeletedActions(queries.getQueryData<RecapResult>(queryKey), result)
    },
    refetchInterval: ({ state: { data, dataUpdateCount } }) => {
      if (data === undefined || !isBeingMade(data)) return false
      return dataUpdateCount > SLOW_POLL.afterReads ? SLOW_POLL.ms : POLL_MS
    },
  })
}

/** An action item that was deleted on this page stays in its place, where it can be restored. */
function keepDeletedActions(shown: RecapResult | undefined, next: RecapResult): RecapResult {
  const deleted = (shown?.recap?.actions ?? [])
    .map((action, index) => ({ action, index }))
    .filter(({ action }) => action.state === 'deleted')
  if (next.recap === null || deleted.length === 0) return next
  const actions = [...next.recap.actions]
  for (const { action, index } of deleted) {
    const isBack = actions.some(({ actionId }) => actionId === action.actionId)
    if (!isBack) actions.splice(index, 0, action)
  }
  return { ...next, recap: { ...next.recap, actions } }
}

function isBeingMade({ recap, missing }: RecapResult): boolean {
  return recap === null ? missing.isBeingMade : recap.status === 'in_progress'
}

/** Makes the recap again in the background. The page shows it when it is ready. */
function useMakeRecap(meetingId: string): () => Promise<void> {
  const api = useApi()
  const queries = useQueryClient()
  return async () => {
    await api.meetings.makeRecap(meetingId)
    await queries.invalidateQueries({ queryKey: [RECAP_KEY, meetingId] })
  }
}

async function fetchRecap(api: ApiClient, meetingId: string): Promise<RecapResult> {
  try {
    const recap = await api.meetings.recap(meetingId, MAY_BE_MISSING)
    return { recap, missing: null }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'recap_not_ready') throw error
    // The API sends a retry time only if the recap is being made.
    const isComing = error.retryAfterSeconds !== undefined
    return { recap: null, missing: { reason: error.message, isBeingMade: isComing } }
  }
}
