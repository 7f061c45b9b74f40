import './recap.css'
import { Button, Group, Loader, Stack, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import type { WireMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import type { WireRecap } from '../../../../src/http/shapes/meetings/recap.ts'
import { useMarks, useMarkStepDone } from '../../../account/use-marks.ts'
import { ErrorBox } from '../../../ui/feedback/error-box.tsx'
import { QueryView } from '../../../ui/feedback/query-view.tsx'
import { Time } from '../../../ui/format/time.tsx'
import { useAction } from '../../../ui/forms/use-action.ts'
import { isBeingMade, useMakeRecap, useRecap, type RecapResult } from './queries.ts'
import { listRecapNotes, RECAP_METHOD_TEXTS } from './recap-labels.ts'
import { RecapSections } from './recap-sections.tsx'

interface RecapPanelProps {
  meeting: WireMeetingDetail
  /** True if there was no recap when the page was opened, so the first one is new. */
  isExpected: boolean
  /** Called when the recap becomes ready while the page is open. */
  onReady: () => void
  /** True if the recap became ready while the page is open. */
  isNew: boolean
}

/** The recap of an ended meeting, or why there is none. */
export function RecapPanel({ meeting, isExpected, onReady, isNew }: RecapPanelProps) {
  const { meetingId } = meeting
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
            isFirst={result.recap === null}
            isNew={isNew && result.recap !== null}
          />
          {result.recap !== null && (
            <>
              <RecapNotes recap={result.recap} />
              <RecapSections recap={result.recap} meeting={meeting} />
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
  /** True if the meeting has no recap yet. */
  isFirst: boolean
  isNew: boolean
}

function RecapStatus({ meetingId, description, progress, isFirst, isNew }: RecapStatusProps) {
  const make = useMakeRecap(meetingId)
  const action = useAction(make)
  return (
    <div>
      <div className="recap-status">
        <div className="recap-origin">{description}</div>
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

function MethodAndTime({ recap: { method, model, madeAt } }: { recap: WireRecap }) {
  return (
    <Text size="sm" c="dimmed" className="break-anywhere">
      {RECAP_METHOD_TEXTS[method](model)} · <Time at={madeAt} show="minute" />
    </Text>
  )
}

/** What the reader should know about how the recap was made. */
function RecapNotes({ recap }: { recap: WireRecap }) {
  const notes = listRecapNotes(recap)
  if (recap.error === null && notes.length === 0) return null
  return (
    <Stack gap="xs">
      {recap.error !== null && (
        <div className="notice" role="note">
          <Text size="sm" className="break-anywhere">
            The language model could not make this recap: {recap.error}
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
