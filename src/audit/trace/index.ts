export { tellStory, type Story, type StoryPart } from "./trace.js";
