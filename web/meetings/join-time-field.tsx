import { TextInput } from '@mantine/core'
import { readFormText, useFieldError } from '../ui/forms.tsx'

const FIELD_NAME = 'joinAt'

interface LocalTimeFieldProps {
  name: string
  label: string
  description?: string
  /** ISO 8601. */
  defaultTime?: string
  isRequired?: boolean
  onChange?: (isGiven: boolean) => void
}

type JoinTimeFieldProps = Omit<LocalTimeFieldProps, 'name'>

/** When a bot joins, in the user's time zone. */
export function JoinTimeField(props: JoinTimeFieldProps) {
  return <LocalTimeField name={FIELD_NAME} {...props} />
}

/** A date and time in the user's time zone. */
export function LocalTimeField({
  name,
  label,
  description,
  defaultTime,
  isRequired = false,
  onChange,
}: LocalTimeFieldProps) {
  return (
    <TextInput
      name={name}
      type="datetime-local"
      label={label}
      description={description}
      defaultValue={defaultTime === undefined ? '' : toLocalInputValue(defaultTime)}
      required={isRequired}
      withAsterisk={false}
      error={useFieldError(name)}
      onChange={(event) => onChange?.(event.currentTarget.value !== '')}
      flex="0 1 210px"
    />
  )
}

/** The field as part of a request. Empty if no time was entered. */
export function readJoinTimeField(values: FormData): { joinAt?: string } {
  const text = readFormText(values, FIELD_NAME)
  return text === '' ? {} : { joinAt: new Date(text).toISOString() }
}

/** The value of the browser's field for a local time: `2026-11-20T09:00`. */
function toLocalInputValue(at: string): string {
  const date = new Date(at)
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}
