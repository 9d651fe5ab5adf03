/** The texts of this module, as ICU messages (docs/decisions/0031-texts.md). */

export const useYourKit = 'Use your kit in {software}'
export const aboutThisGuide = 'What a booth kit contains for {software}, and how to import it.'
export const allPrograms = 'All programs'
export const beatGrid = 'Beat grid'
export const comment = 'Comment'
export const cueColours = 'Cue colours'
export const cuePoints = 'Cue points'
export const energy = 'Energy'
export const energyColour = 'Energy as colour'
export const exampleList = 'Friday night'
export const gridsNeedAnalysis = 'Songs whose beats couldn’t be detected reliably have no beat grid and no cue points.'
export const ifSomethingIsMissing = 'If something is missing'
export const importTheKit = 'Import the kit'
export const included = 'Included'
export const key = 'Key'
export const kitsForYourSoftware = 'Kits for DJ software'
export const notIncluded = 'Not included'
export const operatingSystem = 'Operating system'
export const overview =
  'A booth kit is a zip with songs in the folders of your download profile, playlists, and a library file for your DJ software.'
export const playlist = 'Playlist'

export const quoted = '“{name}”'
export const stars = 'Stars'
export const whatAKitContains = 'What a kit contains'
export const whatTheKitContains = 'What the kit contains'
export const whatTheKitContainsNote = 'A program may ignore values that it doesn’t support.'
export const zipName = '{list} for {software}.zip'

// Used by several programs.
export const commentInBoth = 'In {library} and in the files’ tags, as set in your download profile'
export const commentInTags = 'In the files’ tags, as set in your download profile'
export const cuesInLibrary = 'Up to eight hot cues in {library}, with names and colours'
export const energyInTags =
  'In the tag EnergyLevel. To see it in {software}, add the energy to the comment in your download profile.'
export const gridInLibrary = 'In {library}, with every tempo change'
export const keyInBoth = 'In {library} and in the files’ tags, in the notation of your download profile'
export const keyInTags = 'In the files’ tags, in the notation of your download profile'
export const playlistInLibrary = 'In {library}, in the order of the kit'
export const starsInLibrary = 'In {library}, if your download profile shows energy or favourites as stars'
export const unpack = 'Unpack the zip into your music folder'
export const unpackText =
  'Unpack everything into the music folder of your download profile, for example {music}. The library file contains whole paths, so the songs must be exactly there.'
export const unpackedTooDeep = 'The songs are in a folder named after the zip'
export const unpackedTooDeepText =
  'Many programs unpack a zip into a folder of its own. Move what is in that folder into {music} itself, so that the paths match.'

// Engine DJ.
export const engineEnergy = 'As the song’s colour in {library}, which Engine DJ may ignore, and in the tag EnergyLevel'
export const engineImport = 'Add the playlist to your Engine library'
export const engineImportText =
  'Open the rekordbox library in the sidebar and drag the playlist {list} to your playlists. Engine DJ adds its songs to your collection.'
export const engineOtherLibrary = 'Engine DJ shows another rekordbox collection'
export const engineOtherLibraryText =
  'Engine DJ shows one rekordbox file at a time. Choose {library} of the new kit, or update the rekordbox library after you have replaced the file.'
export const engineNoSource = 'There is no rekordbox library in the sidebar'
export const engineNoSourceText =
  'Libraries of other programs can be hidden. Look for rekordbox in the preferences of Engine DJ Desktop; the name of the page differs between versions.'
export const engineSongsMissing = 'The playlist is empty'
export const engineSongsMissingText =
  'The songs aren’t where {library} expects them. Compare their folder with the music folder of your download profile: it must be {music}, letter for letter.'
export const engineSource = 'Choose the library file as the rekordbox library'
export const engineSourceText =
  'Engine DJ Desktop reads rekordbox collections from an XML file. Open the rekordbox library in the sidebar and choose {library} in your music folder. Where the choice is shown differs between versions.'
export const engineSummary = 'Playlist, beat grid, hot cues and key, read as a rekordbox collection.'
export const engineSync = 'Copy the playlist to your drive'
export const engineSyncText =
  'Check a song’s beat grid and hot cues, then copy the playlist to the drive of your player with <b>Sync Manager</b>.'

// Mixxx.
export const mixxxAddFolder = 'Add your music folder to Mixxx'
export const mixxxAddFolderText =
  'Open <b>Options › Preferences › Library</b> and add {music}, unless it is in the list already.'
export const mixxxBeatGrid = 'In the files’ tags, in the format of Serato'
export const mixxxCues = 'Up to eight hot cues in the files’ tags, in the format of Serato, with names and colours'
export const mixxxEmptyPlaylist = 'The imported playlist is empty'
export const mixxxEmptyPlaylistText =
  'Import {library}, not the playlist without whole paths. Mixxx skips songs that aren’t at their path: compare their folder with {music}.'
export const mixxxGridReplaced = 'Mixxx replaces the beat grid'
export const mixxxGridReplacedText =
  'In <b>Preferences › Beat Detection</b>, turn off <b>Re-analyze beats when settings change or beat detection data is outdated</b>. Otherwise Mixxx analyses songs again that have a grid of another program.'
export const mixxxImport = 'Import the playlist'
export const mixxxImportText =
  'Right-click <b>Playlists</b> in the sidebar, choose <b>Import Playlist</b> and open {library}.'
export const mixxxOldSongs = 'Songs have no beat grid or cue points'
export const mixxxOldSongsText =
  'Mixxx reads tags when it adds a song. For songs that were in your library before, select them, right-click and choose <b>Metadata › Import From File Tags</b>. This replaces the cue points that they have in Mixxx.'
export const mixxxPlaylist = 'In {library}, with whole paths, and in {relative}'
export const mixxxRescan = 'Rescan the library'
export const mixxxRescanText =
  'Choose <b>Library › Rescan Library</b>. Mixxx adds the new songs and reads key, beat grid and cue points from their tags; no setting is needed.'
export const mixxxSummary = 'Playlist; beat grid, hot cues, key and comment from the files’ tags.'

// rekordbox.
export const rekordboxAnalysis = 'Turn off automatic analysis'
export const rekordboxAnalysisText =
  'In <b>Preferences › Analysis › Track Analysis</b>, turn off <b>Auto Analysis</b>, so that rekordbox keeps the beat grid of the kit. You can turn it on again afterwards.'
export const rekordboxEnergy =
  'As the song’s colour in {library}, from blue for calm to red for energetic, and in the tag EnergyLevel'
export const rekordboxImport = 'Import the songs, then the playlist'
export const rekordboxImportText =
  'Open <b>rekordbox xml › All Tracks</b> in the sidebar, select all songs, right-click and choose <b>Import To Collection</b>. If rekordbox asks whether to load the information of the imported library, choose <b>Yes</b>. Then right-click {list} and choose <b>Import Playlist</b>.'
export const rekordboxLibrary = 'Choose the library file'
export const rekordboxLibraryText =
  'In <b>Preferences › Advanced › Database</b>, under <b>rekordbox xml › Imported Library</b>, choose {library} in your music folder. Older versions have this setting under <b>Bridge</b>.'
export const rekordboxNoSource = 'The sidebar shows no “rekordbox xml”, or an earlier kit'
export const rekordboxNoSourceText =
  'Check that <b>rekordbox xml</b> is ticked under <b>View › Layout</b>. If the sidebar shows an earlier kit, choose {library} again or refresh rekordbox xml in the sidebar.'
export const rekordboxNothingHappens = 'Nothing happens when you import'
export const rekordboxNothingHappensText =
  'rekordbox skips songs without a message if they aren’t where {library} expects them. Compare their folder with the music folder of your download profile: it must be {music}, letter for letter.'
export const rekordboxOldSongs = 'Songs have no cue points, or another beat grid'
export const rekordboxOldSongsText =
  'rekordbox doesn’t read values for songs that are already in your collection, and may replace the beat grid of a song that it analyses. Turn off <b>Auto Analysis</b>, remove these songs from the collection and import them from the kit again.'
export const rekordboxSummary = 'Playlist, beat grid, coloured hot cues, key, comment, stars and energy colours.'
export const rekordboxView = 'Show “rekordbox xml” in the sidebar'
export const rekordboxViewText =
  'In <b>Preferences › View › Layout</b>, under <b>Media Browser</b>, tick <b>rekordbox xml</b>.'

// Serato.
export const seratoBeatGrid = 'In the files’ tags, locked, so that an analysis in Serato keeps it'
export const seratoClose = 'Close Serato'
export const seratoCloseText = 'Serato saves its crates when it closes, and would overwrite the crate of the kit.'
export const seratoCopy = 'Copy the crate into Serato’s folder'
export const seratoCopyText =
  'Copy {library} from the folder <f>_Serato_</f> of the kit into {crates}. Copy the file only, and never replace the whole folder. If your music is on an external drive, use the folder <f>_Serato_</f> at the top of that drive.'
export const seratoCrateMissing = 'The crate isn’t shown'
export const seratoCrateMissingText =
  'Close Serato, copy the file again and start Serato. Versions from 4.0 keep the library in a new format: if they don’t show the crate, drag the songs’ folder from the Files panel onto the crates. Beat grid and cue points are in the files.'
export const seratoCratesReplaced = 'Other crates have disappeared'
export const seratoCratesReplacedText =
  'The folder <f>_Serato_</f> was replaced instead of added to. Close Serato and restore the folder from <f>_Serato_Backup</f>, which is next to it, or from your own backup.'
export const seratoCues = 'Up to eight hot cues in the files’ tags, with names and colours'
export const seratoOldSongs = 'Songs have no beat grid or cue points'
export const seratoOldSongsText =
  'Serato may remember songs that were in your library before. Open the Files panel and choose <b>Rescan ID3 Tags</b>.'
export const seratoOpen = 'Start Serato and open the crate'
export const seratoOpenText =
  'The crate {list} is in the list of crates. Load a song: its beat grid and hot cues come from the file.'
export const seratoPlaylist = 'As a crate in {library}, in the order of the kit'
export const seratoSongsMissing = 'Songs of the crate are missing'
export const seratoSongsMissingText =
  'The songs aren’t where the crate expects them. They must be in {music}, and the crate in the folder <f>_Serato_</f> of the same drive. Check both folders in your download profile.'
export const seratoSummary = 'Crate; locked beat grid, coloured hot cues, key and comment in the files’ tags.'

// Traktor.
export const traktorAnalysis = 'Turn off automatic analysis'
export const traktorAnalysisText =
  'In <b>Preferences › File Management</b>, turn off <b>Analyze new imported tracks</b> and <b>Analyze new tracks when loading into deck</b>, so that Traktor keeps the beat grid of the kit.'
export const traktorBeatGrid = 'In {library}: one marker with the first tempo of the song'
export const traktorCollection = 'Import the songs'
export const traktorCollectionText =
  'Right-click <b>Track Collection</b>, choose <b>Import another Collection</b> and open {library} in your music folder. Your collection keeps its other songs.'
export const traktorCues = 'Up to eight hot cues in {library}, with names'
export const traktorDuplicates = 'Songs are in the collection twice'
export const traktorDuplicatesText =
  'This happens if you import {library} before the songs are in your music folder. Delete the entries with an exclamation mark, unpack the zip and import again.'
export const traktorGridDiffers = 'The beat grid has moved or has no tempo'
export const traktorGridDiffersText =
  'Check that your download profile names the version of Traktor that you use: Traktor 4 stores the tempo in the grid marker, Traktor 3 doesn’t. Then turn off the automatic analysis, delete the songs from the collection and import them again.'
export const traktorMissing = 'Songs have an exclamation mark'
export const traktorMissingText =
  'Traktor can’t find the files. They must be in {music}, and the volume in your download profile must be {volume}. Right-click the songs and choose <b>Relocate</b>, or correct the profile and download the kit again.'
export const traktorPlaylist = 'Import the playlist'
export const traktorPlaylistText =
  'Right-click <b>Playlists</b>, choose <b>Import Playlist</b> and open {library} once more.'
export const traktorSummary = 'Playlist, beat grid, hot cues, key, comment and stars.'
export const volumeOfMac = 'the name of your disk, usually “Macintosh HD”'
export const volumeOfWindows = 'the drive, such as C:'

// VirtualDJ.
export const virtualdjBeatGrid = 'Not included. VirtualDJ analyses songs itself.'
export const virtualdjCopy = 'Copy the list into VirtualDJ’s folder'
export const virtualdjCopyText =
  'Close VirtualDJ. Copy {library} from the folder <f>MyLists</f> of the kit into {lists}. VirtualDJ 2024 and later read lists from there.'
export const virtualdjCues = 'Not included. VirtualDJ can’t import cue points from a list.'
export const virtualdjFolderHidden = 'You can’t find VirtualDJ’s folder'
export const virtualdjFolderHiddenMac =
  'The folder <f>Library</f> is hidden. In Finder, choose <b>Go › Go to Folder</b> and enter {lists}. Installations of earlier versions may have their folder in <f>Documents/VirtualDJ</f>.'
export const virtualdjFolderHiddenWindows =
  'The folder <f>AppData</f> is hidden. Paste {lists} into the address bar of Explorer. Installations of earlier versions may have their folder in <f>Documents\\VirtualDJ</f>.'
export const virtualdjListMissing = 'The list isn’t shown'
export const virtualdjListMissingText =
  'Versions before 2024 don’t read these lists. Update VirtualDJ, or open {playlist} in its folder list.'
export const virtualdjNoCues = 'There are no cue points'
export const virtualdjNoCuesText =
  'Kits for VirtualDJ contain none. VirtualDJ finds the beats when it analyses a song; set cue points there.'
export const virtualdjOpen = 'Open the list'
export const virtualdjOpenText =
  'Start VirtualDJ and open <b>My Lists</b> in the sidebar. The list {list} has the order of the kit.'
export const virtualdjPlaylist = 'As a list in {library}, in the order of the kit'
export const virtualdjSongsMissing = 'Songs of the list are missing'
export const virtualdjSongsMissingText =
  'The songs aren’t where the list expects them. Compare their folder with the music folder of your download profile: it must be {music}, letter for letter.'
export const virtualdjSummary = 'Ordered list with BPM and key; comment in the files’ tags. No beat grid or cue points.'
