import { Switch } from '@mantine/core'
import { useState } from 'react'
import { toastError } from '../ui/toast.ts'

type Props = {
  /** For screen readers, which read it without its row: 'House, published'. */
  name: string
  /** Shown beside it. */
  label?: string
  isOn: boolean
  save: (isOn: boolean) => Promise<unknown>
  /** 'Couldn’t publish the article' */
  errorTitle: string
}

/** A switch that saves at once. Until the server has answered, it shows the new value and ignores clicks. */
export function QuickSwitch({ name, label, isOn, save, errorTitle }: Props) {
  const [pending, setPending] = useState<boolean>()
  const change = async (isOn: boolean) => {
    if (pending !== undefined) return
    setPending(isOn)
    await save(isOn).catch((error) => void toastError(errorTitle, error))
    setPending(undefined)
  }
  return (
    <Switch
      aria-label={name}
      {...(label && { label })}
      checked={pending ?? isOn}
      onChange={({ currentTarget }) => void change(currentTarget.checked)}
    />
  )
}
