import { useState } from 'react'
import { useSuggested } from '../catalogue/useSuggested.ts'
import { type CommandGroup, CommandPalette } from '../ui/CommandPalette.tsx'
import { closenessOf, matchesOf } from '../ui/paletteMatches.ts'
import { useActionCommands, useFoundCommands, usePlaylistCommands, useScreenCommands } from './paletteCommands.tsx'
import * as texts from './texts.ts'

export type PaletteProps = { onClose: () => void }

/** The matches of the text, in groups; for an empty text, all commands. */
function useGroups(typed: string): CommandGroup[] {
  const words = typed.trim()
  const playlists = usePlaylistCommands(words)
  const foundCommands = useFoundCommands(words, useSuggested(words))
  const groups = [
    { title: texts.goTo, commands: matchesOf(useScreenCommands(), words) },
    { title: texts.actions, commands: matchesOf(useActionCommands(), words) },
    { title: texts.playlists, commands: playlists },
    { title: texts.results, commands: words ? foundCommands : [] },
  ]
  return words ? sortGroups(groups, words) : groups
}

/** The groups with the closest names first: “house” means the genre, “play” the command and not the playlists. */
const sortGroups = (groups: CommandGroup[], words: string) => {
  const closest = ({ commands }: CommandGroup) => Math.min(...commands.map(({ name }) => closenessOf(name, words)))
  return groups.sort((a, b) => closest(a) - closest(b))
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
