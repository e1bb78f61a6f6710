// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// @title Keeps what holders of one token put aside, without rewards or waiting time.
/// @dev Warning: only for tokens that revert on failure and take no fee on transfers.
contract DevStaking {
    IERC20 public immutable token;
    uint256 public totalStaked;

    /// @notice What an account has staked, in the token's smallest unit.
    mapping(address => uint256) public stakedBalance;

    event Staked(address indexed account, uint256 amount);
    event Unstaked(address indexed account, uint256 amount);

    error StakeTooSmall(address account, uint256 staked, uint256 wanted);

    constructor(IERC20 token_) {
        token = token_;
    }

    /// @notice Needs an allowance of `amount` for this contract.
    function stake(uint256 amount) external {
        stakedBalance[msg.sender] += amount;
        totalStaked += amount;
        emit Staked(msg.sender, amount);
        token.transferFrom(msg.sender, address(this), amount);
    }

    function unstake(uint256 amount) external {
        uint256 staked = stakedBalance[msg.sender];
        if (staked < amount) revert StakeTooSmall(msg.sender, staked, amount);
        stakedBalance[msg.sender] = staked - amount;
        totalStaked -= amount;
        emit Unstaked(msg.sender, amount);
        token.transfer(msg.sender, amount);
    }
}
