import type { Software, System } from '@dubplate/contract'

/** What a kit may contain, in the order of the tables. */
export const CONTENTS = ['playlist', 'grid', 'cues', 'key', 'comment', 'stars', 'energy'] as const
export type Content = (typeof CONTENTS)[number]

/** A setting in the drawing of a window. Its words are those of the program. */
export type Setting = { name: string; isTicked: boolean } | { name: string; value: 'library' | 'music' }

/** A drawing next to a step. Words of programs' menus are not translated. */
export type Drawing =
  | { kind: 'unpack' }
  | { kind: 'copy' }
  | { kind: 'window'; pages: string[]; page: string; section: string; settings: Setting[] }
  | { kind: 'menu'; sidebar: string[]; entry: string; options: string[]; option: string }
  | { kind: 'menubar'; menus: string[]; menu: string; options: string[]; option: string }
  | { kind: 'source'; sidebar: string[]; entry: string }
  | { kind: 'playlist'; sidebar: string[]; hasCues: boolean }
  | { kind: 'close' }
  | { kind: 'drive' }

type Step = { title: string; text: string; drawing: Drawing }

/** The text of a problem may depend on the system. */
type Problem = { title: string; fix: string | Partial<Record<System, string>> }

/** The page of a program. Texts may contain the values of places.ts `<b>` for words of the program's
 * menus and `<f>` for names of files and folders. */
export type Guide = {
  software: Software
  /** The systems that the program runs on. */
  systems: readonly System[]
  summary: string
  /** Where each content comes from; without an entry, the kit has none for this program. */
  contents: Partial<Record<Content, string>>
  /** Why a content is not included, if there is more to say. */
  missing?: Partial<Record<Content, string>>
  hasCueColours: boolean
  hasEnergyColour: boolean
  steps: Step[]
  problems: Problem[]
}
