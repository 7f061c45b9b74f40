import './recap.css'
import { Button, Group, Loader, Stack, Text, Title } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import type { ApiMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import type { ApiRecap } from '../../../../src/http/shapes/meetings/recap.ts'
import type { RecapDocumentState, RecapMethod } from '../../../../src/http/shapes/values.ts'
import { useMarks, useMarkStepDone } from '../../../account/use-marks.ts'
import { isBeingMade, useMakeRecap, useRecap, type RecapResult } from './queries.ts'
import { RecapExportButtons } from './recap-export-buttons.tsx'
import { RecapSections } from './recap-sections.tsx'
import type { TranscriptStore } from '../transcript/transcript-store.ts'
import { useLinesByNumber } from '../transcript/use-transcript.ts'
import { ErrorBox, QueryView } from '../../../ui/feedback/feedback.tsx'
import { Time } from '../../../ui/format/time.tsx'
import { useAction } from '../../../ui/forms/form.tsx'

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
            <Button
              variant="default"
              size="xs"
              loading={action.isRunning}
              onClick={() => void action.run()}
            >
              {isFirst ? 'Make the recap' : 'Make again'}
            </Button>
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
      {action.error ? <ErrorBox error={action.error} /> : null}
    </div>
  )
}

function MethodAndTime({ recap: { method, model, madeAt } }: { recap: ApiRecap }) {
  return (
    <Text size="sm" c="dimmed" className="break-anywhere">
      {RECAP_METHOD_TEXTS[method](model)} · <Time at={madeAt} show="minute" />
    </Text>
  )
}

/** What the reader should know about how the recap was made. */
function RecapNotes({ recap }: { recap: ApiRecap }) {
  const notes = listRecapNotes(recap)
  if (recap.error === null && notes.length === 0) return null
  return (
    <Stack gap="xs">
      {recap.error !== null && (
        <div className="notice" role="note">
          <Text size="sm" className="break-anywhere">
            {recap.method === 'rules' && 'The language model could not make this recap: '}
            {recap.error}
          </Text>
        </div>
      )}
      {notes.map((note) => (
        <Text key={note} size="sm" c="dimmed">
          {note}
        </Text>
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
