/**
 * Every request that can be refused, with the sentence that the help page prints.
 * Callers branch on the code, never on the message.
 */
export const errorTable = {
  'workspace.not-open': 'No workspace is open in this window. Open a folder first.',
  'workspace.not-found': 'The folder does not exist. Check the path, or choose another folder.',
  'workspace.unreadable': 'The folder cannot be read. Check its permissions, or choose another folder.',
  'workspace.too-large':
    'The workspace has more files than scripts can be shown. Ignore what git ignores, or narrow "files" of the skill.',
  'file.not-in-workspace': 'The file is not one of this workspace’s lenses, libraries or skills.',
  'file.not-found': 'The file is gone: it was deleted or moved since the workspace was read.',
  'file.unreadable': 'The file cannot be read. Check its permissions.',
  'file.unwritable':
    'The file cannot be written. Check its permissions and the free space; your text is kept in the editor.',
  'file.too-large': 'The file is larger than the studio reads (1 MiB).',
  'file.not-text': 'The file is not UTF-8 text.',
  'file.unknown-kind':
    'The file is not of a kind this command works on. Name a lens, or another file the command takes.',
  'draft.unwritable':
    'Unsaved text cannot be kept for after a crash. Check the free space of your Sunwell folder, and save soon.',
  'draft.unreadable': 'Unsaved text of earlier cannot be read. Check the permissions of your Sunwell folder.',
  'file.exists': 'There is a file of this name already. Choose another name.',
  'file.not-new':
    'The studio takes back only a file that it made itself and that nobody has written to since. Delete it yourself if it is not wanted.',
  'file.bad-name':
    'The name is none of a lens. Use a path within the workspace that ends in .lens, without hidden folders or odd characters.',
  'git.no-repository': 'The folder is in no git repository, so there is no last commit to compare with.',
  'git.not-committed': 'The last commit does not have this file. Commit it first.',
  'git.unreadable':
    'The git repository cannot be read here. Run "git fsck" in it; a repository with SHA-256 names or borrowed objects is not read.',
  'file.changed':
    'The file changed on disk since it was read. Compare both versions, then save again or reload.',
  'home.unusable':
    'The folder that SUNWELL_HOME names is not there and cannot be made, or is no folder; or HOME is no absolute path and the account has none. Name another folder, or unset the variable for "~/.sunwell".',
  'home.locked':
    'Another Sunwell has worked on a file of the home folder for long. Wait for it or end it; delete the lock that the message names if nobody works there any more.',
  'home.bad-lock':
    'What stands in the place of a lock in the home folder is none. Delete what the message names if no other Sunwell is at work.',
  'host.no-dialog': 'This host has no native dialog. Type the path of the folder instead.',
  'host.port-in-use': 'The port is taken by another program. Choose another with --port, or leave it out.',
  'host.cannot-listen': 'The address cannot be listened on. Choose another with --host or --port.',
  'host.exposed': 'Serving beyond this machine must be asked for twice: add --i-know-this-is-exposed.',
  'host.no-page': 'The built page is missing. Run "npm run build" first.',
  'host.bad-link': 'The link is not one the studio opens. Use sunwell://open?path= with an absolute path.',
  'lens.unknown-name':
    'No lens of the workspace or the user has this name. See "sunwell lens list", or name the file.',
  'lens.ambiguous-name': 'Several lenses have this name. Name the file of the one you mean.',
  'lens.judges-nothing':
    'The lens has no validators, so that it cannot judge a result. Name a lens that has some; "sunwell lens show" lists them.',
  'lens.lacks-judges':
    'A lens that it builds on, or part of its own text, cannot be read, so that judges may be missing. Correct what the message names; "sunwell validate" lists all of it.',
  'lens.unknown-workflow': 'The lens has no workflow of this name. "sunwell lens show" lists those it has.',
  'graph.unknown-skill':
    'No skill of the graph has this name. Use the name or the qualified id of one that is in it.',
  'graph.ambiguous-skill': 'Several skills of the graph share this name. Use the qualified id instead.',
  'fount.bad-reference':
    'The fount is not written as one. Use fount://package@range, for example fount://@team/docs@^1.0.0.',
  'fount.not-found':
    'No package of this name is where the fount points. Check the name, and "founts" in config.yaml.',
  'fount.no-version': 'No version of the package is in the range. Choose one of the versions that exist.',
  'fount.unauthorized':
    'The registry refuses your credentials. Log in with npm, or check the token in your .npmrc.',
  'fount.unreachable':
    'The source of the fount does not answer. Check the network and the address; packages in the lock and in the store work without it.',
  'fount.damaged':
    'The package arrived damaged: its bytes are not the ones its source promises. Try again, then tell its publisher.',
  'fount.tampered':
    'The package’s content is not the one the lock pins. Nothing of it is used; find out who changed it before you update the lock.',
  'fount.unsafe':
    'The package holds something that may not be unpacked, such as a link or a path that leaves it. Tell its publisher.',
  'fount.too-large': 'The package holds more than 64 MB or 5,000 files.',
  'fount.empty': 'The package holds no skills: neither a skills folder, nor *.skills.yaml, nor SKILL.md.',
  'fount.wrong-package': 'The source holds another package than the reference names. Correct the reference.',
  'fount.not-in-lock':
    'The fount is not in sunwell.lock. Add it with "sunwell fount add", which fetches it and pins it.',
  'fount.not-in-store':
    'The locked package is not on this machine. Fetch it with "sunwell fount add": its version stays.',
  'fount.frozen':
    'The lock would have to change, and --frozen forbids it. Run the command without --frozen and commit sunwell.lock.',
  'cache.no-entry': 'The cache keeps no result with this key. "sunwell cache list" prints the keys it has.',
  'cache.unreadable':
    'A result is kept and cannot be read, so that the skill runs again. Check the permissions of the folder "cache" in the user’s folder.',
  'cache.busy': 'Another process is at work on the cache. Try again in a moment.',
  'cache.unwritable':
    'The cache cannot be written. Check the permissions of the folder "cache" in the user’s folder, and the free space.',
  'lock.corrupt':
    'The file sunwell.lock is damaged and was left as it is. Restore it from git, or delete it and add the founts again.',
  'sandbox.unavailable':
    'Scripts cannot run safely on this machine, so they do not run at all. "sunwell doctor" says what is missing and how to get it.',
  'sandbox.no-interpreter':
    'No safe interpreter for this language was found. Install it system-wide; "sunwell doctor" says which ones were passed over, and why.',
  'sandbox.no-network':
    'Scripts have no network. Fetch what the skill needs beforehand and put it into the workspace.',
  'script.bad-name': 'A script’s name is a plain file name: no folders, no "..", no control characters.',
  'script.too-large':
    'The input of the script is larger than 16 MiB, or its arguments are longer than the system takes. Pass a file of the workspace instead.',
  'script.not-in-skill': 'The script is not one of the skill’s own files.',
  'skill.needs-model':
    'The skill has instructions, and those need a model. Set one up in the settings, or in config.yaml; --manual and --replay of the command line do without one.',
  'model.unknown': 'No model has this name. "sunwell model list" prints those of your config.yaml.',
  'model.invalid':
    'The model cannot be written like this into config.yaml. Correct what the message names; nothing was changed.',
  'model.no-keychain':
    'Keys are kept only in the keychain of the desktop app. Put the key into an environment variable, and name that as "api_key_env".',
  'model.keys-unreadable':
    'The file of keys cannot be read, and nothing was changed: the keys in it would be lost. Check its permissions.',
  'config.unknown-key': 'config.yaml has no such setting. "sunwell schema config" describes those it has.',
  'config.bad-value': 'The setting does not take this value. Nothing was changed.',
  'config.broken':
    'Your config.yaml cannot be read or edited as it is. Check its permissions, or correct it in an editor, then try again.',
  'config.unwritable': 'Your config.yaml cannot be written. Check its permissions and the free space.',
  'skill.incomplete':
    'A script or resource of the skill cannot be read, so none of it runs. "sunwell validate" says which, and why.',
  'fixture.none': 'There are no fixtures to try. Write some into "tests/fixtures.yaml" beside the lens.',
  'fixture.invalid':
    'The fixtures have errors, so that none is tried. "sunwell validate" lists them with their places.',
  'fixture.unknown': 'No fixture has this name. Use one that is in the file of fixtures.',
  'fixture.exists': 'There is a fixture of this name already. Choose another name.',
  'fixture.unfinished':
    'The run did not come to an end, so that nothing can be expected of it. Save one that ended.',
  'skill.missing-input':
    'The skill requires values that were not given. Give each: as an input of the run, or with --input KEY=VALUE or --input-file KEY=PATH.',
  'agent-skill.not-found':
    'There is no Agent Skill at this place. Name its folder, its SKILL.md or its archive.',
  'agent-skill.invalid':
    'What was named is no usable Agent Skill, or holds something that is never copied, such as a link. "sunwell validate-skill" says more.',
  'agent-skill.not-mounted':
    'The Agent Skill cannot be put there: its name or size is not allowed, another one is there, or writing failed. Nothing of it was left behind.',
  'agent-skill.preview-gone':
    'The preview is no longer kept, or was already carried out. Look at it again before you agree.',
  'artifact.unsafe':
    'The proposed file is not one a script may change: it leads out of the workspace, through a link, or has a protected name.',
  'artifact.changed':
    'A file that the skill proposes to change was changed by somebody else since the run started. Nothing was written; run the skill again.',
  'artifact.unwritable': 'A proposed file cannot be written. Check the permissions and the free space.',
  'artifact.unknown': 'The run does not propose this file. "sunwell run show" lists what it proposes.',
  'artifact.gone':
    'What the run proposed is no longer kept: the cache was cleared, or the run was removed. Run the skill again.',
  'run.unknown': 'The workspace has no such run. "sunwell run list" prints those that are kept.',
  'run.unreadable':
    'A run that is kept, or the history of the workspace, cannot be read. Check the permissions of the folder "runs" in the user’s folder: another user may have run something with it.',
  'run.still-running': 'The run is not over yet. Wait for its end, or cancel it.',
  'run.elsewhere': 'The run belongs to another process of the studio. Cancel it there.',
  'run.unknown-judge':
    'Nobody of this name judged the skill in this run. "sunwell run show" prints the verdicts.',
  'run.note-missing': 'Whoever overrides a verdict says why, for those who read the run later.',
  'run.not-asked': 'The run asks nobody this question any more. Look at the run again.',
  'run.nothing-to-resume': 'The run succeeded: there is nothing left to carry on. Start a new one.',
  'cache.unknown-key': 'The cache has no such entry. "sunwell cache list" prints those that exist.',
  'trust.changed': 'The skill changed while you were reading it. Read it again before you agree.',
  'trust.not-granted': 'The skill’s scripts are not trusted on this machine. Read them, then grant it.',
  'trust.cannot-ask':
    'Nobody can be asked here. Read what the skill does, then repeat the command on a terminal or with --yes.',
  'trust.unknown-grant': 'There is no such grant. "sunwell trust list" prints those that exist.',
  'trust.needs-confirmation': 'Full trust must be typed out by you, in the app or on a terminal.',
  'trust.fetched-this-session':
    'Full trust cannot be given to a skill in the session that fetched it. Read it, restart, then grant it.',
  'trust.unreadable':
    'The grants cannot be read, so that none counts and none is changed: what is in the file would be lost. Check the permissions of grants.json in the home folder.',
  'trust.unwritable':
    'The grants cannot be written. Check the permissions and the free space of the home folder.',
} as const;

export type ErrorCode = keyof typeof errorTable;

/** A request that cannot be done: a known code, a sentence that names the thing, and details for the caller. */
export class StudioError extends Error {
  override readonly name = 'StudioError';
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** Ends an exhaustive switch: reaching it is a bug, and the compiler says so first. */
export function unreachable(value: never): never {
  throw new Error(`Unreachable value: ${JSON.stringify(value)}`);
}
