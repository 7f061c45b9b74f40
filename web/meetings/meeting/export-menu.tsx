import { Button, Menu } from '@mantine/core'
import type { WireMeetingDetail } from '../../../src/http/shapes/meetings.ts'
import { meetingApiPath } from '../queries.ts'

const FORMATS = [
  { format: 'md', label: 'Markdown (.md)' },
  { format: 'txt', label: 'Plain text (.txt)' },
  { format: 'srt', label: 'Subtitles (.srt)' },
  { format: 'vtt', label: 'Web subtitles (.vtt)' },
  { format: 'json', label: 'Data (.json)' },
] as const

interface ExportMenuProps {
  meeting: WireMeetingDetail
  isOpen: boolean
  onChange: (isOpen: boolean) => void
}

/** Links and no scripts: the browser downloads, however long the transcript is. */
export function ExportMenu({ meeting, isOpen, onChange }: ExportMenuProps) {
  const name =
    meeting.title
      .replaceAll(/[^\p{L}\p{N} ._-]+/gu, ' ')
      .trim()
      .slice(0, 80) || 'transcript'
  return (
    <Menu
      opened={isOpen}
      onChange={onChange}
      position="bottom-end"
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        <Button variant="default" size="sm">
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {FORMATS.map(({ format, label }) => (
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
