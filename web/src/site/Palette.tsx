import { useState } from 'react'
import { useSuggested } from '../catalogue/useSuggested.ts'
import { type CommandGroup, CommandPalette } from '../ui/CommandPalette.tsx'
import { matchesOf } from '../ui/paletteMatches.ts'
import { useActionCommands, useFoundCommands, usePlaylistCommands, useScreenCommands } from './paletteCommands.tsx'
import * as texts from './texts.ts'

export type PaletteProps = { onClose: () => void }

const MAX_PER_GROUP = 6

/** The matches of the text, in groups; for an empty text, all commands. */
function useGroups(typed: string): CommandGroup[] {
  const words = typed.trim()
  const playlists = matchesOf(usePlaylistCommands(), words)
  const foundCommands = useFoundCommands(words, useSuggested(words))
  const screens = { title: texts.goTo, commands: matchesOf(useScreenCommands(), words) }
  const actions = { title: texts.actions, commands: matchesOf(useActionCommands(), words) }
  // “play” means the command Play, not the playlists.
  const isAction = actions.commands.some(({ name }) => name.toLowerCase() === words.toLowerCase())
  return [
    ...(isAction ? [actions, screens] : [screens, actions]),
    { title: texts.playlists, commands: words ? playlists.slice(0, MAX_PER_GROUP) : playlists },
    { title: texts.results, commands: words ? foundCommands : [] },
  ]
}

/** Every screen, action, playlist and song in one search field: Ctrl + K. */
export function Palette({ onClose }: PaletteProps) {
  const [typed, setTyped] = useState('')
  return (
    <CommandPalette
      label={texts.searchEverything}
      placeholder={texts.searchOrRunACommand}
      typed={typed}
      onType={setTyped}
      groups={useGroups(typed)}
      onClose={onClose}
    />
  )
}
