import { TextInput } from '@mantine/core'
import { useId, useMemo } from 'react'

interface TimeZoneFieldProps {
  name: string
  description: string
  value: string
  error: string | undefined
  onChange: (zone: string) => void
}

/** A field for the IANA name of a time zone, which suggests the names that the browser knows. */
export function TimeZoneField({ name, description, value, error, onChange }: TimeZoneFieldProps) {
  const listId = useId()
  const zones = useMemo(() => ['UTC', ...Intl.supportedValuesOf('timeZone')], [])
  return (
    <>
      <TextInput
        name={name}
        label="Time zone"
        description={description}
        list={listId}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
        required
        withAsterisk={false}
        autoComplete="off"
        spellCheck={false}
      />
      <datalist id={listId}>
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  )
}
