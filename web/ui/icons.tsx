import type { ReactNode } from 'react'

function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      aria-hidden
      width="18"
      height="18"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {children}
    </svg>
  )
}

export function HomeIcon() {
  return (
    <Icon>
      <path d="M4 11 12 4l8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z" />
    </Icon>
  )
}

export function PersonIcon() {
  return (
    <Icon>
      <circle cx="12" cy="8" r="4" />
      <path d="M4 21c0-4 3.6-6.5 8-6.5s8 2.5 8 6.5" />
    </Icon>
  )
}

export function BookIcon() {
  return (
    <Icon>
      <path d="M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11M9 8h6" />
    </Icon>
  )
}

export function SignOutIcon() {
  return (
    <Icon>
      <path d="M14 4H6a1 1 0 0 0-1 1v14a1 1 0 0 0 1 1h8M10 12h10M17 8.5l3.5 3.5-3.5 3.5" />
    </Icon>
  )
}

export function KeyIcon() {
  return (
    <Icon>
      <circle cx="8" cy="15" r="4" />
      <path d="m11 12 8-8M16 7l3 3" />
    </Icon>
  )
}

export function CopyIcon() {
  return (
    <Icon>
      <rect x="9" y="9" width="11" height="11" rx="2" />
      <path d="M5 15H4V5a1 1 0 0 1 1-1h10v1" />
    </Icon>
  )
}

export function CheckIcon() {
  return (
    <Icon>
      <path d="m5 12.5 4.5 4.5L19 7.5" />
    </Icon>
  )
}

export function ChecklistIcon() {
  return (
    <Icon>
      <path d="m3 6 2 2 3-3.5M3 13l2 2 3-3.5M3 20l2 2 3-3.5M12 6h9M12 13h9M12 20h9" />
    </Icon>
  )
}

export function MeetingIcon() {
  return (
    <Icon>
      <path d="M4 5h16v11H9l-4 4v-4H4zM8 9h8M8 12h5" />
    </Icon>
  )
}

export function CalendarIcon() {
  return (
    <Icon>
      <path d="M4 6h16v14H4zM4 10h16M8 3v4M16 3v4" />
    </Icon>
  )
}

export function FolderIcon() {
  return (
    <Icon>
      <path d="M3 6a1 1 0 0 1 1-1h5l2 3h8a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1z" />
    </Icon>
  )
}

export function SearchIcon() {
  return (
    <Icon>
      <circle cx="11" cy="11" r="6" />
      <path d="m20 20-4.5-4.5" />
    </Icon>
  )
}

export function QuestionIcon() {
  return (
    <Icon>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M12 16.5h.01" />
    </Icon>
  )
}

export function SendIcon() {
  return (
    <Icon>
      <path d="M20 4 3 11l7 3 3 7zM10 14l4-4" />
    </Icon>
  )
}

export function TaskIcon() {
  return (
    <Icon>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 7v5l3.5 2" />
    </Icon>
  )
}

export function PromptIcon() {
  return (
    <Icon>
      <path d="M5 4h14a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1h-8l-4 3v-3H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1z" />
      <path d="M8 9h8M8 12.5h5" />
    </Icon>
  )
}

export function DotsIcon() {
  return (
    <Icon>
      <path strokeWidth="2.75" d="M5 12h.01M12 12h.01M19 12h.01" />
    </Icon>
  )
}

export function SystemIcon() {
  return (
    <Icon>
      <path d="M4 5h16v6H4zM4 13h16v6H4zM8 8h.01M8 16h.01M12 8h5M12 16h5" />
    </Icon>
  )
}

export function CrossIcon() {
  return (
    <Icon>
      <path d="m6 6 12 12M18 6 6 18" />
    </Icon>
  )
}

export function KeyboardIcon() {
  return (
    <Icon>
      <path d="M3 6h18v12H3zM7 10h.01M12 10h.01M17 10h.01M8 14h8" />
    </Icon>
  )
}

export function ChevronDownIcon() {
  return (
    <Icon>
      <path d="m6 9 6 6 6-6" />
    </Icon>
  )
}

export function ChevronUpIcon() {
  return (
    <Icon>
      <path d="m6 15 6-6 6 6" />
    </Icon>
  )
}

export function ArrowLeftIcon() {
  return (
    <Icon>
      <path d="M19 12H5M11 6l-6 6 6 6" />
    </Icon>
  )
}
