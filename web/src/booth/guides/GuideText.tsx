import type { Software, System } from '@dubplate/contract'
import { SOFTWARE_NAMES } from '@dubplate/contract/schemas/dj-software'
import type { ReactNode } from 'react'
import { format, rich } from '../../format/message.ts'
import css from './KitGuide.module.css'
import { type Places, placesOf } from './places.ts'
import * as texts from './texts.ts'

type Values = Record<string, ReactNode | ((inside: ReactNode) => ReactNode)>

const Path = ({ children }: { children: ReactNode }) => <code className={css.path}>{children}</code>

const pathValues = (places: Places): Values =>
  Object.fromEntries(Object.entries(places).map(([name, path]) => [name, <Path key={name}>{path}</Path>]))

type Props = { text: string; software: Software; system: System }

/** A text of a guide with the names and paths for the chosen system. */
export function GuideText({ text, software, system }: Props) {
  const places = placesOf(software, system)
  const values: Values = {
    ...pathValues(places),
    list: format(texts.quoted, { name: places.list }),
    software: SOFTWARE_NAMES[software],
    volume: system === 'windows' ? texts.volumeOfWindows : texts.volumeOfMac,
    b: (inside: ReactNode) => <b>{inside}</b>,
    f: (inside: ReactNode) => <Path>{inside}</Path>,
  }
  return rich(text, values)
}
