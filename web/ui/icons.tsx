import type { ReactNode } from 'react'

interface IconStyle {
  size?: number
  strokeWidth?: number
}

/** An icon in the colour of the text around it, from its drawing or the path of its line. */
function createIcon(drawing: ReactNode, { size = 18, strokeWidth = 1.75 }: IconStyle = {}) {
  return ({ isFilled = false }: { isFilled?: boolean }) => (
    <svg
      aria-hidden
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={isFilled ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth={strokeWidth}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {typeof drawing === 'string' ? <path d={drawing} /> : drawing}
    </svg>
  )
}

export const HomeIcon = createIcon('M4 11 12 4l8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z')
export const PersonIcon = createIcon(
  <>
    <circle cx="12" cy="8" r="4" />
    <path d="M4 21c0-4 3.6-6.5 8-6.5s8 2.5 8 6.5" />
  </>,
)
export const BookIcon = createIcon(
  'M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11M9 8h6',
)
export const SignOutIcon = createIcon(
  'M14 4H6a1 1 0 0 0-1 1v14a1 1 0 0 0 1 1h8M10 12h10M17 8.5l3.5 3.5-3.5 3.5',
)
export const CopyIcon = createIcon(
  <>
    <rect x="9" y="9" width="11" height="11" rx="2" />
    <path d="M5 15H4V5a1 1 0 0 1 1-1h10v1" />
  </>,
)
export const CheckIcon = createIcon('m5 12.5 4.5 4.5L19 7.5')
export const ChecklistIcon = createIcon(
  'm3 6 2 2 3-3.5M3 13l2 2 3-3.5M3 20l2 2 3-3.5M12 6h9M12 13h9M12 20h9',
)
export const DecisionIcon = createIcon('M6 21V4h12l-2.5 4L18 12H6')
export const MeetingIcon = createIcon('M4 5h16v11H9l-4 4v-4H4zM8 9h8M8 12h5')
export const CalendarIcon = createIcon('M4 6h16v14H4zM4 10h16M8 3v4M16 3v4')
export const FolderIcon = createIcon(
  'M3 6a1 1 0 0 1 1-1h5l2 3h8a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1z',
)
export const SearchIcon = createIcon(
  <>
    <circle cx="11" cy="11" r="6" />
    <path d="m20 20-4.5-4.5" />
  </>,
)
export const QuestionIcon = createIcon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M12 16.5h.01" />
  </>,
)
export const SendIcon = createIcon('M20 4 3 11l7 3 3 7zM10 14l4-4')
export const TaskIcon = createIcon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 7v5l3.5 2" />
  </>,
)
export const PromptIcon = createIcon(
  <>
    <path d="M5 4h14a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1h-8l-4 3v-3H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1z" />
    <path d="M8 9h8M8 12.5h5" />
  </>,
)
export const DotsIcon = createIcon(<path strokeWidth="2.75" d="M5 12h.01M12 12h.01M19 12h.01" />)
export const SystemIcon = createIcon('M4 5h16v6H4zM4 13h16v6H4zM8 8h.01M8 16h.01M12 8h5M12 16h5')
export const CrossIcon = createIcon('m6 6 12 12M18 6 6 18')
export const KeyboardIcon = createIcon('M3 6h18v12H3zM7 10h.01M12 10h.01M17 10h.01M8 14h8')
export const ChevronDownIcon = createIcon('m6 9 6 6 6-6')
export const ChevronUpIcon = createIcon('m6 15 6-6 6 6')
export const ArrowLeftIcon = createIcon('M19 12H5M11 6l-6 6 6 6')

/** A size that fits into a line of text. */
const SMALL = { size: 15, strokeWidth: 2 }
export const BookmarkIcon = createIcon('M6 4h12v16l-6-4.5L6 20z', SMALL)
export const CommentIcon = createIcon('M4 5h16v11h-8l-5 4v-4H4z', SMALL)
export const LinkIcon = createIcon(
  'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7L12 7M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7L12 17',
  SMALL,
)
export const DoneIcon = createIcon('m5 12.5 4.5 4.5L19 7.5', SMALL)
/** A flag: here something was settled. */
export const SmallDecisionIcon = createIcon('M6 21V4h12l-2.5 4L18 12H6', SMALL)
export const ActionItemIcon = createIcon('M5 5h14v14H5zM8.5 12l2.5 2.5 4.5-5', SMALL)
export const OpenQuestionIcon = createIcon(
  'M8.5 9a3.5 3.5 0 1 1 5 3.2c-1 .5-1.5 1.2-1.5 2.3M12 18.5v.5',
  SMALL,
)
