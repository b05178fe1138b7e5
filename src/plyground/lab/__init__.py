"""The lab: experiments about searches, with tables and plots of what they measured."""
