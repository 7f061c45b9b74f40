import { useState } from 'react'
import type { WireMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import { useNowEvery30Seconds } from '../../../ui/format/time.tsx'
import { isBeforeJoinTime } from '../../meeting-labels.ts'
import type { TranscriptStore } from '../transcript/transcript-store.ts'
import { usePartialCaptions, useTranscriptLines } from '../transcript/use-transcript.ts'
import { isJoining } from './join-steps.ts'

/** True if the bot is joining or in the call, and nothing was said yet. Stays false after the first caption. */
export function useIsWaitingForCaptions(
  meeting: WireMeetingDetail,
  store: TranscriptStore,
): boolean {
  const now = useNowEvery30Seconds()
  const { status, segmentCount } = meeting
  const { count, gapsAtEnd, isLoaded } = useTranscriptLines(store)
  const isCaptioned = usePartialCaptions(store).length > 0 || count > 0 || gapsAtEnd.length > 0
  const [wasCaptioned, setWasCaptioned] = useState(isCaptioned)
  if (isCaptioned && !wasCaptioned) setWasCaptioned(true)
  const isLater = isBeforeJoinTime(meeting, now)
  return isJoining(status) && !isLater && isLoaded && segmentCount === 0 && !wasCaptioned
}
