/** A size that fits into a line of text. */
function SmallIcon({ path, isFilled = false }: { path: string; isFilled?: boolean }) {
  return (
    <svg
      aria-hidden
      width="15"
      height="15"
      viewBox="0 0 24 24"
      fill={isFilled ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={path} />
    </svg>
  )
}

export function BookmarkIcon({ isFilled = false }: { isFilled?: boolean }) {
  return <SmallIcon path="M6 4h12v16l-6-4.5L6 20z" isFilled={isFilled} />
}

export function CommentIcon() {
  return <SmallIcon path="M4 5h16v11h-8l-5 4v-4H4z" />
}

export function LinkIcon() {
  return (
    <SmallIcon path="M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7L12 7M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7L12 17" />
  )
}

export function DoneIcon() {
  return <SmallIcon path="m5 12.5 4.5 4.5L19 7.5" />
}

/** A flag: here something was settled. */
export function DecisionIcon() {
  return <SmallIcon path="M6 21V4h12l-2.5 4L18 12H6" />
}

export function ActionItemIcon() {
  return <SmallIcon path="M5 5h14v14H5zM8.5 12l2.5 2.5 4.5-5" />
}

export function OpenQuestionIcon() {
  return <SmallIcon path="M8.5 9a3.5 3.5 0 1 1 5 3.2c-1 .5-1.5 1.2-1.5 2.3M12 18.5v.5" />
}
