import { useState } from 'react'
import forms from './forms/Forms.module.css'

type Props = {
  /** For the accessible name: `House, on the home page`. */
  name: string
  label: string
  isTicked: boolean
  onTick: (isTicked: boolean) => Promise<void>
  isQuiet?: boolean
  className?: string | undefined
}

/** A checkbox that saves at once and shows the chosen value until the server has responded. */
export function QuickTick({ name, label, isTicked, onTick, isQuiet, className = '' }: Props) {
  const [wanted, setWanted] = useState<boolean>()
  const choose = async (isTicked: boolean) => {
    if (wanted !== undefined) return
    setWanted(isTicked)
    await onTick(isTicked)
    setWanted(undefined)
  }
  return (
    <label className={`${forms.check} ${className}`} data-quiet={isQuiet}>
      <input
        type="checkbox"
        checked={wanted ?? isTicked}
        aria-label={name}
        onChange={({ target }) => void choose(target.checked)}
      />
      {label}
    </label>
  )
}
