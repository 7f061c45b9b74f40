import { Button, Menu } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { WireMeetingDetail } from '../../../src/http/shapes/meetings/meetings.ts'
import type { TranscriptFormat } from '../../../src/http/shapes/values.ts'
import { CopyTranscriptItem } from './notes/copy-transcript.tsx'
import { meetingApiPath } from '../queries.ts'

/** The transcript formats, in the order of the menu. */
const FORMAT_LABELS: Record<TranscriptFormat, string> = {
  md: 'Markdown (.md)',
  txt: 'Plain text (.txt)',
  srt: 'Subtitles (.srt)',
  vtt: 'Web subtitles (.vtt)',
  json: 'JSON (.json)',
}

interface ExportMenuProps {
  meeting: WireMeetingDetail
  isOpen: boolean
  onChange: (isOpen: boolean) => void
}

/** Plain download links, so that the browser saves the file without loading the transcript into memory. */
export function ExportMenu({ meeting, isOpen, onChange }: ExportMenuProps) {
  const name =
    meeting.title
      .replaceAll(/[^\p{L}\p{N} ._-]+/gu, ' ')
      .trim()
      .slice(0, 80) || 'transcript'
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
