import { TextInput } from '@mantine/core'
import { readFormText, useFieldError } from '../ui/forms/form.tsx'

const FIELD_NAME = 'joinAt'

interface JoinTimeFieldProps {
  label: string
  description?: string
  /** ISO 8601. */
  defaultTime?: string
  isRequired?: boolean
  onChange?: (isGiven: boolean) => void
}

/** When a bot joins, in the user's time zone. */
export function JoinTimeField({
  label,
  description,
  defaultTime,
  isRequired = false,
  onChange,
}: JoinTimeFieldProps) {
  return (
    <TextInput
      name={FIELD_NAME}
      type="datetime-local"
      label={label}
      description={description}
      defaultValue={defaultTime === undefined ? '' : toLocalInputValue(defaultTime)}
      required={isRequired}
      withAsterisk={false}
      error={useFieldError(FIELD_NAME)}
      onChange={(event) => onChange?.(event.currentTarget.value !== '')}
      flex="0 1 210px"
    />
  )
}

/** The field as part of a request; empty when no time was entered. */
export function readJoinTimeField(values: FormData): { joinAt?: string } {
  const text = readFormText(values, FIELD_NAME)
  return text === '' ? {} : { joinAt: new Date(text).toISOString() }
}

/** The form of a local time that the browser's field has: `2026-11-20T09:00`. */
function toLocalInputValue(at: string): string {
  const date = new Date(at)
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}
