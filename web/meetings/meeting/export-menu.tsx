import { Button, Menu } from '@mantine/core'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import type { ApiMeetingDetail } from '../../../src/http/shapes/meetings/meetings.ts'
import type { TranscriptFormat } from '../../../src/http/shapes/values.ts'
import { useMeetingNotes } from './notes/notes-context.tsx'
import { formatTranscript } from './notes/transcript-text.ts'
import { describeGap } from './transcript/gap-mark.tsx'
import type { TranscriptStore } from './transcript/transcript-store.ts'
import { useTranscriptLines } from './transcript/use-transcript.ts'
import { meetingApiPath } from '../queries.ts'
import { copyRichText } from '../../ui/copy.tsx'
import { formatTimeOfDay } from '../../ui/format/time.tsx'
import { toFileName } from '../../ui/save-file.ts'

/** The transcript formats, in the order of the menu. */
const FORMAT_LABELS: Record<TranscriptFormat, string> = {
  md: 'Markdown (.md)',
  txt: 'Plain text (.txt)',
  srt: 'Subtitles (.srt)',
  vtt: 'Web subtitles (.vtt)',
  json: 'JSON (.json)',
  vcon: 'vCon (.vcon)',
}

interface ExportMenuProps {
  meeting: ApiMeetingDetail
  isOpen: boolean
  onChange: (isOpen: boolean) => void
}

/** Plain download links, so that the browser saves the file without loading the transcript into memory. */
export function ExportMenu({ meeting, isOpen, onChange }: ExportMenuProps) {
  const name = toFileName(meeting.title, 'transcript')
  const button = useRef<HTMLButtonElement>(null)
  // The shortcut also works far down in the transcript, where the menu and its button would be out of sight.
  useEffect(() => {
    if (isOpen) button.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])
  return (
    <Menu
      opened={isOpen}
      onChange={onChange}
      position="bottom-end"
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        <Button ref={button} className="export-button" variant="default" size="sm">
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <CopyTranscriptItem />
        {Object.entries(FORMAT_LABELS).map(([format, label]) => (
          <Menu.Item
            key={format}
            component="a"
            href={`${meetingApiPath(meeting.meetingId)}/transcript?format=${format}`}
            download={`${name}.${format}`}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The menu entry that copies the whole transcript. It says "Copied" until the menu closes. */
function CopyTranscriptItem() {
  const context = useMeetingNotes()
  return context && <CopyItem transcript={context.transcript} />
}

type CopyState = 'none' | 'copied' | 'failed'

const LABELS: Record<CopyState, string> = {
  none: 'Copy transcript',
  copied: 'Copied',
  failed: 'Your browser blocked copying. Choose a file below.',
}

function CopyItem({ transcript }: { transcript: TranscriptStore }) {
  const { isLoaded, count } = useTranscriptLines(transcript)
  const [state, setState] = useState<CopyState>('none')
  async function copy({ currentTarget }: MouseEvent<HTMLButtonElement>): Promise<void> {
    const formats = { formatTime: formatTimeOfDay, describeGap }
    const text = formatTranscript(transcript.lines(), formats)
    setState((await copyRichText(text, currentTarget)) ? 'copied' : 'failed')
  }
  return (
    <>
      <Menu.Item
        closeMenuOnClick={false}
        disabled={!isLoaded || count === 0}
        onClick={(event) => void copy(event)}
      >
        {/* Not a status element, because a menu may contain only its entries. */}
        <span aria-live="polite">{LABELS[state]}</span>
      </Menu.Item>
      <Menu.Divider />
    </>
  )
}
